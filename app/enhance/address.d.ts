/** URL of the script for pages without hydration. */
declare module "virtual:enhance-address" {
  const address: string;
  export default address;
}

/** Where browsers find the script of plain pages. */
declare module "virtual:enhance-address" {
  const address: string;
  export default address;
}

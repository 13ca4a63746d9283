// The floor: Node's own HTTP server and client, connected by a pipe. Prints its port.
import { Agent, createServer, request as send } from "node:http";

const upstream = Number(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: 256 });

const server = createServer((request, response) => {
  const outgoing = send(
    { host: "127.0.0.1", port: upstream, method: request.method, path: request.url, headers: request.headers, agent },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  outgoing.on("error", () => response.destroy());
  // A load that ends interrupts streams; each would keep a connection of the agent forever.
  response.once("close", () => {
    if (!response.writableFinished) outgoing.destroy();
  });
  request.pipe(outgoing);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));

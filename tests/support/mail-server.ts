import { createServer, type Server } from "node:net";

/** Starts a mail server that stores received emails and implements the minimum of SMTP. */
export async function startMailServer() {
  const received: string[] = [];
  const server: Server = createServer((socket) => {
    let data: string | null = null;
    socket.write("220 test\r\n");
    socket.on("data", (chunk) => {
      const text = chunk.toString("utf8");
      if (data !== null) {
        data += text;
        if (!data.endsWith("\r\n.\r\n")) return;
        received.push(data);
        data = null;
        return void socket.write("250 kept\r\n");
      }
      if (text.startsWith("DATA")) {
        data = "";
        return void socket.write("354 go on\r\n");
      }
      socket.write(text.startsWith("QUIT") ? "221 bye\r\n" : "250 ok\r\n");
    });
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    received: (): readonly string[] => received,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

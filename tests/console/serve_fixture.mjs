// node serve_fixture.mjs FOLDER [PORT]: the built page over simulated figures, to look at.
import {FixtureServer} from "./fixture_server.mjs";

const server = new FixtureServer({folder: process.argv[2], period: 1000});
server.port = Number(process.argv[3] ?? 0);
await server.start();
console.log(server.url);

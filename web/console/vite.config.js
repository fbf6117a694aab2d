import {defineConfig} from "vite";

const service = process.env.STAD_CONSOLE_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  base: "./",  // addresses are relative, so that the page also works below a path of a reverse proxy
  build: {
    target: "es2022",
    assetsInlineLimit: 0,  // the content security policy forbids what is written inline
    modulePreload: {polyfill: false},
    emptyOutDir: true,
  },
  // `npm run dev` shows the page as it is edited, over the figures of a service that runs.
  server: {proxy: Object.fromEntries(["/admin", "/events", "/v2"].map((path) => [path, service]))},
});

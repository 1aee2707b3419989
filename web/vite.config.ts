// How the page is built: plain files with hashed names, nothing inlined (the Content-Security-
// Policy allows scripts and styles from this server alone), the charts in a part of their own.
import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "/",
  esbuild: { jsx: "automatic" },
  build: {
    target: "es2022",
    assetsDir: "assets",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { "/api": process.env.DRAGOMAN_URL ?? "http://127.0.0.1:8080" } },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});

/** Builds the web app into dist/: hashed assets, gzipped beside themselves for the queue to serve, nothing inline (CSP). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'

const assets = join(import.meta.dirname, 'dist/assets')

function gzipAssets(): Plugin {
  return {
    name: 'gzip-assets',
    apply: 'build',
    closeBundle() {
      for (const name of readdirSync(assets)) {
        if (/\.(js|css|svg)$/.test(name))
          writeFileSync(join(assets, `${name}.gz`), gzipSync(readFileSync(join(assets, name)), { level: 9 }))
      }
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // packages of this repository are taken from their sources: the order of builds does not matter
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // what several views need is one file: twenty of a few hundred bytes are larger, and as many calls
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } } },
  },
  plugins: [gzipAssets()],
})

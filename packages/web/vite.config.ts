/** Builds the web app into dist/: hashed assets, gzipped beside themselves for the queue to serve, nothing inline (CSP). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { defaultClientConditions, defineConfig, type Plugin, type Rolldown } from 'vite'
import { operatorViews } from './src/routes.ts'

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

/** What several views need is one file: twenty of a few hundred bytes are larger, and as many calls. What only operators' views need is another. */
function sharedBy(module: string, modules: Pick<Rolldown.PluginContext, 'getModuleInfo'>): string {
  const seen = new Set([module])
  for (const id of seen) {
    const info = modules.getModuleInfo(id)
    if (!info || isOfOperators(id)) continue
    if (info.isEntry || info.dynamicImporters.length > 0) return 'shared'
    for (const importer of info.importers) seen.add(importer)
  }
  return 'operators'
}

const isOfOperators = (module: string) =>
  Object.keys(operatorViews).some((view) => module.endsWith(`/views/${view}.tsx`))

const group = (name: 'shared' | 'operators', priority: number) => ({
  name: (module: string, modules: Parameters<typeof sharedBy>[1]) => (sharedBy(module, modules) === name ? name : null),
  debugName: name,
  priority,
  minShareCount: 2,
})

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
    rolldownOptions: {
      // a group takes with it what its modules need: what is shared by all comes first, or the operators' file would have some of it
      output: { codeSplitting: { groups: [group('shared', 1), group('operators', 0)] } },
    },
  },
  plugins: [gzipAssets()],
})

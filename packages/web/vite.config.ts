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

type Group = 'shared' | 'opened' | 'operators' | 'later'
type Graph = Pick<Rolldown.PluginContext, 'getModuleInfo'>

/** @param how whether what a part loads later counts, too */
function usersOf(module: string, modules: Graph, how: 'at once' | 'ever'): ReadonlySet<string> {
  const users = new Set<string>()
  const seen = new Set([module])
  for (const id of seen) {
    const view = /\/src\/views\/([\w-]+)\.tsx$/.exec(id)?.[1]
    if (view) users.add(view)
    const info = view ? undefined : modules.getModuleInfo(id)
    if (info?.isEntry) users.add('entry')
    const later = how === 'ever' ? (info?.dynamicImporters ?? []) : []
    for (const importer of [...(info?.importers ?? []), ...later]) seen.add(importer)
  }
  return users
}

/**
 * What several views need at once is one file: twenty of a few hundred bytes are larger, and as many calls. What only operators' views need is another.
 * What is needed only later is a file of its own in both cases: the first one waits for nothing that is opened on it.
 * What one view needs, with the parts of it that are loaded later, is left to its own files: no other waits for it, also where others load it later.
 */
function groupOf(module: string, modules: Graph): Group | undefined {
  const users = usersOf(module, modules, 'at once')
  if (users.size === 1 && !users.has('entry')) return undefined
  const views = users.size > 0 ? users : usersOf(module, modules, 'ever')
  if (views.has('entry')) return 'shared'
  if (views.size === 1) return undefined
  if (![...views].every((view) => view in operatorViews)) return users.size > 0 ? 'shared' : 'opened'
  return users.size > 0 ? 'operators' : 'later'
}

const group = (name: Group, priority: number) => ({
  name: (module: string, modules: Parameters<typeof groupOf>[1]) => (groupOf(module, modules) === name ? name : null),
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
      output: {
        codeSplitting: { groups: [group('shared', 3), group('operators', 2), group('opened', 1), group('later', 0)] },
      },
    },
  },
  plugins: [gzipAssets()],
})

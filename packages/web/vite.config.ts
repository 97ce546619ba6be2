/** Builds the web app into dist/: hashed assets, gzipped beside themselves for the queue to serve, nothing inline (CSP). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  defaultClientConditions,
  defineConfig,
  type Plugin,
  type ResolveModulePreloadDependenciesFn,
  type Rolldown,
} from 'vite'
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

/** characters of code before it is made smaller */
const ownFileLength = 1500

type Group = 'shared' | 'opened' | 'operators' | 'later'
type Graph = Pick<Rolldown.PluginContext, 'getModuleInfo'>

/** @param how whether what a part loads later counts, too */
function usersOf(module: string, modules: Graph, how: 'at once' | 'ever'): ReadonlySet<string> {
  const users = new Set<string>()
  const seen = new Set([module])
  for (const id of seen) {
    // the words of a language are loaded with every view
    const user = /\/src\/(?:views\/([\w-]+)\.tsx|texts\/(?:en|ru)\.ts)$/.exec(id)
    if (user) users.add(user[1] ?? user[0])
    const info = user ? undefined : modules.getModuleInfo(id)
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
 * Of what others load later, a file of its own is worth its call and its list of imports only above `ownFileLength`; what is smaller is with what all share.
 */
function groupOf(module: string, modules: Graph): Group | undefined {
  const users = usersOf(module, modules, 'at once')
  if (users.size === 1 && !users.has('entry')) return isSmallAndShared(module, users, modules) ? 'shared' : undefined
  const views = users.size > 0 ? users : usersOf(module, modules, 'ever')
  if (views.has('entry')) return 'shared'
  if (views.size === 1) return undefined
  if (![...views].every((view) => view in operatorViews)) return users.size > 0 ? 'shared' : 'opened'
  return users.size > 0 ? 'operators' : 'later'
}

/** @param users the one view that needs it at once */
function isSmallAndShared(module: string, users: ReadonlySet<string>, modules: Graph): boolean {
  const length = modules.getModuleInfo(module)?.code?.length ?? 0
  const isOperators = [...users].some((view) => view in operatorViews)
  return length < ownFileLength && !isOperators && usersOf(module, modules, 'ever').size > 1
}

const group = (name: Group, priority: number) => ({
  name: (module: string, modules: Parameters<typeof groupOf>[1]) => (groupOf(module, modules) === name ? name : null),
  debugName: name,
  priority,
  minShareCount: 2,
})

/** A view is asked for together with all it needs. What is opened on it finds most of that there: a list in each file weighs more. */
const filesBeside: ResolveModulePreloadDependenciesFn = (_file, files, { hostId, hostType }) =>
  hostType === 'html' || hostId.startsWith('assets/index-') ? files : []

export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // packages of this repository are taken from their sources: the order of builds does not matter
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: filesBeside },
    rolldownOptions: {
      // a group takes with it what its modules need: what is shared by all comes first, or the operators' file would have some of it
      output: {
        codeSplitting: { groups: [group('shared', 3), group('operators', 2), group('opened', 1), group('later', 0)] },
      },
    },
  },
  plugins: [gzipAssets()],
})

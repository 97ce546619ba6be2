/**
 * The programs of a fleet, each with all it imports in a few files instead of some nine hundred: a process is up in half the time, and
 * takes less memory; and what scripts need of the packages. Made of the sources, into dist/programs.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')
const built = join(root, 'dist/programs')
const stamp = join(built, '.sources')
const packages = join(root, 'packages')
/**
 * `telegram` and `smpp` load what they need themselves, by names that are known only then. The other two are what `telegram` shares with
 * us: with a second copy in the bundle, a number of ours would not be an instance of the class it checks for.
 */
const ownLoaders = /\/node_modules\/(telegram|big-integer|@cryptography\/aes|smpp)\//

/** Nothing where everything is as it was. @throws Error where something that is imported is not there */
export async function bundlePrograms() {
  const digest = digestOfSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  const [{ rolldown }, { dynamicImportVarsPlugin, importGlobPlugin }] = await Promise.all([
    import('rolldown'),
    import('rolldown/experimental'),
  ])
  const bundle = await rolldown({
    input: {
      ...Object.fromEntries(programs().map((name) => [name, mainOf(name)])),
      'command-line': commandLine,
      scripts,
    },
    platform: 'node',
    resolve: { conditionNames: ['source'] },
    external: (id, _importer, isResolved) => isResolved && ownLoaders.test(id),
    plugins: [dynamicImportVarsPlugin({}), importGlobPlugin({ root }), whereItWas],
    experimental: { nativeMagicString: true },
    checks: { eval: false },
  })
  try {
    await bundle.write({
      dir: built,
      cleanDir: true,
      format: 'esm',
      sourcemap: true,
      sourcemapExcludeSources: true,
      // node keeps the text of a file as long as it runs, and two bytes for each character where one of them is not Latin
      charset: 'ascii',
      comments: { legal: true, annotation: false, jsdoc: false },
      strictExecutionOrder: true,
      entryFileNames: '[name].js',
      chunkFileNames: 'parts/[name]-[hash].js',
    })
  } finally {
    await bundle.close()
  }
  writeFileSync(stamp, digest)
}

const commandLine = join(packages, 'command-line/src/index.ts')
const scripts = join(import.meta.dirname, 'built.mjs')
const mainOf = (name) => join(packages, name, 'src/main.ts')
const programs = () => readdirSync(packages).filter((name) => existsSync(mainOf(name)))

/** Whoever looks for a file beside their own finds it where it was. */
const whereItWas = {
  name: 'where-it-was',
  transform: {
    filter: { code: /import\.meta\.(dirname|url)|__dirname|__filename/ },
    handler(_code, id, { magicString }) {
      const names = {
        'import.meta.dirname': dirname(id),
        'import.meta.url': pathToFileURL(id).href,
        __dirname: dirname(id),
        __filename: id,
      }
      for (const [name, value] of Object.entries(names)) magicString.replaceAll(name, JSON.stringify(value))
      return { code: magicString }
    },
  },
}

/** Of what the programs are made of, and of where: paths stand in them. */
function digestOfSources() {
  const hash = createHash('sha256').update(root)
  const files = readdirSync(packages)
    .filter((name) => name !== 'web')
    .flatMap((name) => [join(packages, name, 'package.json'), ...sourcesIn(join(packages, name, 'src'))])
  for (const file of [
    ...files.sort(),
    ...scriptFiles(),
    join(root, 'package-lock.json'),
    join(root, 'tsconfig.base.json'),
  ])
    hash.update(`${file.slice(root.length)}\n`).update(readFileSync(file))
  return hash.digest('hex')
}

/** those that are bundled, and this one */
const scriptFiles = () =>
  readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.mjs'))
    .sort()
    .map((name) => join(import.meta.dirname, name))

const sourcesIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))

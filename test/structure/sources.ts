/** The source files of this repository and what they import, read from their text: nothing is built or loaded. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

export const root = join(import.meta.dirname, '../..')
const scope = '@courier-fleet/'

export interface Import {
  /** as it is written */
  readonly name: string
  /** gone when the file runs: `import type`, `export type`, `typeof import()` */
  readonly typeOnly: boolean
}

export interface Workspace {
  /** from the root, as in package.json's workspaces: `packages/queue` */
  readonly folder: string
  readonly name: string
  readonly manifest: Manifest
}

export interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, string | { readonly source: string }>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly workspaces?: readonly string[]
}

const read = (path: string) => readFileSync(join(root, path), 'utf8')

export const rootManifest = JSON.parse(read('package.json')) as Manifest

export const workspaces: readonly Workspace[] = (rootManifest.workspaces ?? [])
  .flatMap((pattern) =>
    pattern.endsWith('/*')
      ? readdirSync(join(root, pattern.slice(0, -2))).map((name) => `${pattern.slice(0, -2)}/${name}`)
      : [pattern],
  )
  .filter((folder) => existsSync(join(root, folder, 'package.json')))
  .map((folder) => {
    const manifest = JSON.parse(read(`${folder}/package.json`)) as Manifest
    return { folder, name: manifest.name, manifest }
  })

/** @returns every source file below these folders, from the root; folders that are not there hold none */
export function filesOf(...folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
          .map((entry) => relative(root, join(entry.parentPath, entry.name)))
          .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file))
      : [],
  )
}

const statement = /^\s*(import|export)\s+(type\s)?[^'"();=]*?\bfrom\s*['"]([^'"]+)['"]/gm
const bare = /^\s*import\s*['"]([^'"]+)['"]/gm
const call = /(typeof\s+)?\bimport\s*\(\s*['"]([^'"]+)['"]\s*\)(\.[A-Z])?/g
const required = /\b(?:require(?:\.resolve)?|createRequire\([^)]*\)(?:\.resolve)?)\(\s*['"]([^'"]+)['"]/g
const comment = /\/\*[\s\S]*?\*\/|(?<=^|[\s;,{}()])\/\/.*$/gm

const found = new Map<string, readonly Import[]>()

/** What one file imports, from its text without its comments. */
export function importsOf(file: string): readonly Import[] {
  const known = found.get(file)
  if (known) return known
  const imports = importsIn(read(file))
  found.set(file, imports)
  return imports
}

export function importsIn(source: string): Import[] {
  const text = source.replace(comment, '')
  return [
    ...[...text.matchAll(statement)].map(([, , type, name]) => ({
      name: name as string,
      typeOnly: type !== undefined,
    })),
    ...[...text.matchAll(bare)].map(([, name]) => ({ name: name as string, typeOnly: false })),
    ...[...text.matchAll(required)].map(([, name]) => ({ name: name as string, typeOnly: false })),
    ...[...text.matchAll(call)].map(([, type, name, member]) => ({
      name: name as string,
      typeOnly: type !== undefined || member !== undefined,
    })),
  ]
}

/** `ioredis` of `ioredis/built/utils`, `@fastify/static` of itself; undefined for Node's own, files and styles */
export function packageOf(name: string): string | undefined {
  if (/^(node:|\.)/.test(name)) return undefined
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}

/** @returns the file of this repository that the import leads to; undefined for everything from elsewhere */
export function fileOf(name: string, from: string): string | undefined {
  if (name.startsWith('.')) {
    const file = relative(root, resolve(root, dirname(from), name))
    // the built entry of a package stands for its source
    const source = file.replace(/\/dist\/(.*)\.js$/, '/src/$1.ts')
    return existsSync(join(root, source)) ? source : undefined
  }
  const owner = workspaces.find((each) => each.name === packageOf(name))
  if (!owner || !name.startsWith(scope)) return undefined
  const entry = `.${name.slice(owner.name.length)}`
  const { exports = {} } = owner.manifest
  const target = exports[entry] ?? exports['./*']
  const source = (typeof target === 'string' ? target : target?.source)?.replace('*', entry.slice(2))
  if (!source) throw new Error(`${from} imports ${name}, which ${owner.name} does not export`)
  return relative(root, join(root, owner.folder, source))
}

/** files of this repository that a file imports, or types of them */
export function importedFiles(file: string): string[] {
  return importsOf(file)
    .map(({ name }) => fileOf(name, file))
    .filter((each) => each !== undefined)
}

/**
 * Everything these files load when they run, directly or through what they load, lazily or not.
 * @returns for each import from outside this repository (`node:fs`, `ioredis`) and each file: the way to it, file by file
 */
export function reachedFrom(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const ways = new Map<string, readonly string[]>()
  const todo = files.map((file): [file: string, way: string[]] => [file, [file]])
  for (const [file, way] of todo) {
    if (ways.has(file)) continue
    ways.set(file, way)
    for (const { name, typeOnly } of importsOf(file)) {
      if (typeOnly) continue
      const next = fileOf(name, file)
      if (next) todo.push([next, [...way, next]])
      else if (!name.startsWith('.') && !ways.has(name)) ways.set(name, [...way, name])
    }
  }
  return ways
}

/**
 * Proves that every script of lua/ says what it takes and gives, does no more than it says, and that TypeScript calls it
 * with the same keys and arguments. `node scripts/check-lua.mjs` prints each fault as `file: what` and fails on any.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { declarationFaults, parseHeader } from './lua-header.mjs'

/** @returns {string[]} every fault found under `root`, which holds lua/ and packages/ */
export function checkLua(root) {
  const scripts = readFolder(join(root, 'lua'))
  const libraries = readFolder(join(root, 'lua/lib'))
  const wrappers = readWrappers(root)
  const kinds = readKinds(root)
  const computing = computingFunctions(libraries)
  const faults = []

  for (const [name, text] of scripts) {
    const add = (what) => faults.push(`lua/${name}.lua: ${what}`)
    const header = parseHeader(text)
    if (!header) {
      add(`does not begin with its header, --[[ ${name}: one sentence`)
      continue
    }
    if (header.name !== name) add(`its header calls it "${header.name}"`)
    const body = code(text)
    const included = [...text.matchAll(/^--#include (\S+)$/gm)].map((match) => match[1])
    for (const fault of [
      ...declarationFaults(header, body),
      ...errorFaults(header, text),
      ...includeFaults(body, included, libraries),
      ...computedFaults(header, body, computing),
      ...conductFaults(text),
      ...clockFaults(header, body),
      ...spellingFaults(text, kinds),
      ...roomFaults(body, included, libraries),
      ...wrapperFaults(header, wrappers.get(name) ?? []),
    ])
      add(fault)
  }
  for (const [name, text] of libraries) {
    const users = [...scripts.values()].filter((script) => script.split('\n').includes(`--#include ${name}`))
    if (users.length < 2)
      faults.push(`lua/lib/${name}.lua: shared by ${users.length} scripts; lib is for what two share`)
    for (const fault of [...conductFaults(text), ...(name === 'keys' ? [] : spellingFaults(text, kinds))])
      faults.push(`lua/lib/${name}.lua: ${fault}`)
  }
  for (const [name, found] of wrappers) {
    if (!scripts.has(name)) faults.push(`${found[0].file}: defineScript('${name}') has no lua/${name}.lua`)
  }
  return faults
}

const commentOrString = /--\[\[[\s\S]*?\]\]|--[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g

/** Without comments, and with empty strings: what is left is what runs, on the lines it was on. */
export function code(text) {
  return text.replace(commentOrString, (found) => (found.startsWith('-') ? found.replace(/[^\n]/g, '') : "''"))
}

/** Keys are spelled in lib/keys.lua alone, which a test compares with keys.ts: a piece of one anywhere else is a second place. */
function spellingFaults(text, kinds) {
  return [...text.matchAll(commentOrString)]
    .filter(([found]) => !found.startsWith('-'))
    .map(([found]) => found.slice(1, -1))
    .filter((literal) => /:\{|\}:|\}$/.test(literal) || kinds.has(/^([\w-]+):/.exec(literal)?.[1]))
    .map((literal) => `spells a key, '${literal}': that is for lib/keys.lua`)
}

function errorFaults(header, text) {
  const raised = new Set([...text.matchAll(/error_reply\('([A-Z]+)/g)].map((match) => match[1]))
  const declared = new Set([...header.errors.matchAll(/(?:^|; )([A-Z]+)\b/g)].map((match) => match[1]))
  return [
    ...[...raised].filter((each) => !declared.has(each)).map((each) => `answers ${each}, which Errors: does not name`),
    ...[...declared].filter((each) => !raised.has(each)).map((each) => `Errors: names ${each}, which it never answers`),
  ]
}

/** What a library calls has to be included by the script, too: nothing is included twice. */
function includeFaults(script, included, libraries) {
  const faults = []
  const body = [
    script,
    ...included.map((name) => code(libraries.get(name) ?? '').replace(/^local function \w+/gm, '')),
  ].join('\n')
  for (const name of included)
    if (!libraries.has(name)) faults.push(`includes ${name}, but there is no lua/lib/${name}.lua`)
  for (const [name, text] of libraries) {
    const functions = [...code(text).matchAll(/^local function (\w+)/gm)].map((match) => match[1])
    const called = functions.filter((each) => new RegExp(`(?<![\\w.:])${each}\\(`).test(body))
    if (included.includes(name) && called.length === 0) faults.push(`includes ${name} and calls nothing of it`)
    if (!included.includes(name) && called.length > 0) faults.push(`calls ${called[0]}() without --#include ${name}`)
  }
  return faults
}

/**
 * A name that a script computes is not seen by a cluster before the script is in the midst of its writes. Where a script says that it does so, its
 * wrapper names something that never is beside its keys, and a slot under way refuses the call whole: so it has to say it.
 */
function computedFaults(header, script, computing) {
  const computes = callsAny(script, computing)
  const faults = []
  if (computes && !header.computed) faults.push('computes names of keys, and its header has no line "Computed: …"')
  if (!computes && header.computed) faults.push('its header says "Computed: …", and it computes no names of keys')
  if (header.computed && !/\{/.test(header.keys[0]?.text ?? ''))
    faults.push('computes names of keys, and KEYS[1] has no tag')
  if (header.computed && (header.keys.some(({ open }) => open) || /#KEYS\b/.test(script)))
    faults.push('computes names of keys beside KEYS of any number')
  return faults
}

const callsAny = (body, names) => [...names].some((name) => new RegExp(`(?<![\\w.:])${name}\\(`).test(body))

/** What the libraries have that makes names of keys, by itself or by another of them. */
function computingFunctions(libraries) {
  const functions = [...libraries].flatMap(([library, text]) =>
    [...code(text).matchAll(/^local function (\w+)(.*\bend$|[\s\S]*?^end$)/gm)].map(([, name, body]) => ({
      library,
      name,
      body,
    })),
  )
  const found = new Set(
    functions.filter(({ library, name }) => library === 'keys' && /_key$/.test(name)).map(({ name }) => name),
  )
  for (let before = -1; before < found.size; ) {
    before = found.size
    for (const { name, body } of functions) if (callsAny(body, found)) found.add(name)
  }
  return found
}

/** Nothing that may run for ever, and nothing that answers differently on a replica or a replay. */
function conductFaults(text) {
  const faults = []
  const body = code(text)
  const lines = text.split('\n')
  for (const [index, line] of body.split('\n').entries()) {
    const loop = /(?<![\w.])(while|repeat)\b/.exec(line)
    const reason = `${lines[index - 1] ?? ''}${lines[index]}`
    if (loop && !reason.includes('bounded:'))
      faults.push(`line ${index + 1}: ${loop[1]} without a comment "bounded: why"`)
  }
  for (const word of ['math.random', 'os', 'io', 'loadstring', 'dofile']) {
    const pattern = new RegExp(`(?<![\\w.])${word.replace('.', '\\.')}${word.length === 2 ? '\\.' : '\\b'}`)
    if (pattern.test(body)) faults.push(`uses ${word}`)
  }
  if (/'KEYS'|"KEYS"/.test(text.replace(/--[^\n]*/g, ''))) faults.push('calls KEYS, which walks the whole database')
  return faults
}

/**
 * Lua compiles no function that has more local names at once. Of a script all names of its libraries are counted: it is given fewer, without the functions that it does not
 * name (packages/store/src/script-source.ts), so there is some room left where this finds none.
 */
const mostNames = 200

function roomFaults(script, included, libraries) {
  const names = mostNamesAtOnce([...included.map((name) => code(libraries.get(name) ?? '')), script].join('\n'))
  return names > mostNames ? [`has ${names} local names at once, and Lua has room for ${mostNames}`] : []
}

const word =
  /\bfunction\b|\b(?:do|then|repeat)\b|\b(?:end|until|elseif|else)\b|\bfor\b([^=]*?)(=|\bin\b)|\blocal\s+(function\b)?\s*([\w, ]+)/g

/** How many names are there at once where a program's own code stands, not that of its functions; a loop has three more than those it is written with. */
export function mostNamesAtOnce(program) {
  const blocks = [{ names: 0, isFunction: false }]
  let most = 0
  const isInFunction = () => blocks.some(({ isFunction }) => isFunction)
  const add = (count) => {
    const block = blocks.at(-1)
    block.names += count
    if (!isInFunction())
      most = Math.max(
        most,
        blocks.reduce((sum, { names }) => sum + names, 0),
      )
  }
  let ofLoop = 0
  for (const [found, , loop, ofFunction, names] of program.matchAll(word)) {
    if (loop !== undefined) ofLoop = 3 + found.split(',').length
    else if (found.startsWith('local')) {
      add(names.split(',').length)
      if (ofFunction !== undefined) blocks.push({ names: 0, isFunction: true })
    } else if (found === 'function') blocks.push({ names: 0, isFunction: true })
    else if (found === 'do' || found === 'then' || found === 'repeat') {
      blocks.push({ names: 0, isFunction: false })
      add(ofLoop)
      ofLoop = 0
    } else {
      blocks.pop()
      if (found === 'else') blocks.push({ names: 0, isFunction: false })
    }
  }
  return most
}

/** The time comes from Redis or from the caller, never from both. */
function clockFaults(header, body) {
  const fromCaller = header.arguments.some(({ text }) => /^now\b/.test(text))
  return fromCaller && /\bnow_ms\(/.test(body) ? ['takes the time both from Redis and from its caller'] : []
}

function wrapperFaults(header, found) {
  if (found.length === 0) return ['no defineScript for it in packages/*/src']
  if (found.length > 1) return [`defined twice: ${found.map(({ file }) => file).join(' and ')}`]
  const [{ file, keys, args }] = found
  const faults = []
  const compare = (word, declared, given) => {
    const fixed = declared.filter(({ open }) => !open).length
    if (given === undefined) faults.push(`${file} does not list its ${word} in place`)
    else if (given !== fixed) faults.push(`${file} gives ${given} ${word}, the header declares ${fixed}`)
  }
  compare('keys', header.keys, keys)
  compare('args', header.arguments, args)
  return faults
}

function readFolder(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.lua'))
  return new Map(files.map((file) => [basename(file, '.lua'), readFileSync(join(folder, file), 'utf8')]))
}

/** What keys begin with, by the table of packages/store/src/keys.ts: `history`, `due` … */
function readKinds(root) {
  const path = join(root, 'packages/store/src/keys.ts')
  const [text] = (existsSync(path) ? readFileSync(path, 'utf8') : '').split('} as const')
  return new Set([...text.matchAll(/`([a-z-]+):|\bof\('([a-z-]+)'/g)].map(([, own, ofMessage]) => own ?? ofMessage))
}

function readWrappers(root) {
  const wrappers = new Map()
  for (const path of sources(root)) {
    const text = readFileSync(join(root, path), 'utf8')
    for (const [, name, shape] of text.matchAll(/\bdefineScript\(\s*'([\w-]+)',\s*\{([\s\S]*?)\}\s*,?\s*\)/g)) {
      const found = wrappers.get(name) ?? []
      found.push({ file: path, keys: length(shape, 'keys'), args: length(shape, 'args') })
      wrappers.set(name, found)
    }
  }
  return wrappers
}

function sources(root) {
  return readdirSync(join(root, 'packages'))
    .map((name) => `packages/${name}/src`)
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`))
    .filter((path) => path.endsWith('.ts'))
}

function length(shape, property) {
  const list = new RegExp(`\\b${property}:\\s*\\[([^\\]]*)\\]`).exec(shape)
  return list ? [...list[1].matchAll(/'[^']*'/g)].length : undefined
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, '..')
  const faults = checkLua(root)
  for (const fault of faults) console.error(fault)
  if (faults.length === 0)
    console.log(`check-lua: ${readFolder(join(root, 'lua')).size} scripts agree with their headers and wrappers`)
  process.exitCode = faults.length === 0 ? 0 : 1
}

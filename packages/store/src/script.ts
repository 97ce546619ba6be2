/** Loads the Lua scripts of lua/ and calls them by name. One typed wrapper stands beside each use. */
import { createHash } from 'node:crypto'
import { Problem } from '@courier-fleet/api-types'
import { isCluster, type Redis } from './connection/client.ts'
import { nobodysKey } from './keys.ts'
import { sourceOf } from './script-source.ts'

/** A call that took longer counts as slow: Redis does nothing else while a script runs. */
const slowMs = 100

/** Calls of this process, by script, since they were last taken. */
function createSlowScripts() {
  let calls = new Map<string, number>()
  return {
    add: (name: string) => calls.set(name, (calls.get(name) ?? 0) + 1),
    take(): ReadonlyMap<string, number> {
      const taken = calls
      calls = new Map()
      return taken
    },
  }
}
export const slowScripts = createSlowScripts()

/** `redis.error_reply('CODE text')` of a script, told apart from what goes wrong with Redis itself. */
export class ScriptError extends Error {
  readonly code: string
  constructor(code: string, text: string) {
    super(text)
    this.name = 'ScriptError'
    this.code = code
  }
}

export interface ScriptShape<K extends string, A extends string, R> {
  /** names of the keys, in the order of the script's header */
  readonly keys: readonly K[]
  /** names of the fixed arguments, in the order of the script's header */
  readonly args: readonly A[]
  /** reads what the script returns; see replies.ts */
  readonly reply: (reply: unknown) => R
}

export type Argument = string | number | Buffer

export type Script<K extends string, A extends string, R> = (
  redis: Redis,
  keys: Record<K, string>,
  args: Record<A, Argument>,
  /** what follows the fixed arguments, where the header says `ARGV[n..]` */
  more?: readonly Argument[],
) => Promise<R>

/** At the start of what Redis says, and of what a client or a proxy says of it in words of its own. */
const unknownScript = /\bNOSCRIPT\b/

/** ioredis has these and does not declare them; its declared `callBuffer` breaks under auto-pipelining (6.0.0). */
interface BufferCommands {
  evalshaBuffer(sha: string, keys: number, ...args: Argument[]): Promise<unknown>
  evalBuffer(text: string, keys: number, ...args: Argument[]): Promise<unknown>
}

function readScript(name: string) {
  const text = sourceOf(name)
  return {
    text,
    sha: shaOf(text),
    /** it computes names of keys */
    computes: /^Computed: /m.test(text),
    ownCodes: new Set([...text.matchAll(/error_reply\('([A-Z]+) /g)].map((match) => match[1])),
  }
}

/** A program that starts reads the scripts that it comes to use, when it does. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The hash by which Redis knows lua/<name>.lua: calls are told apart by it on the wire. */
export function scriptSha(name: string): string {
  return shaOf(sourceOf(name))
}

const shaOf = (text: string) => createHash('sha1').update(text).digest('hex')

/**
 * Binds lua/<name>.lua. Calls go by hash and fall back to the text when Redis does not have it (first call, or restarted).
 * ioredis may send a script again whose reply was lost: every script is safe to run twice.
 * @returns what the script returns, read by `shape.reply`; where that is a list, an error in it is a value (a ScriptError when it is the script's own)
 * @throws ScriptError from a call, when the script answers with an error of its own
 */
export function defineScript<K extends string, A extends string, R>(
  name: string,
  shape: ScriptShape<K, A, R>,
): Script<K, A, R> {
  const read = once(() => readScript(name))

  function asOwn(error: unknown): unknown {
    const { ownCodes } = read()
    const match = error instanceof Error ? /^([A-Z]+) (.*?)( script: [0-9a-f]{40}.*)?$/.exec(error.message) : null
    return match && ownCodes.has(match[1] as string) ? new ScriptError(match[1] as string, match[2] as string) : error
  }

  return async (redis, keys, args, more = []) => {
    const { text, sha, computes } = read()
    const names = shape.keys.map((key) => keys[key])
    // a slot on its way from node to node refuses a call that names something it has not: whole, before the first step of the script
    if (computes && isCluster(redis)) names.push(nobodysKey(names[0] as string))
    const list: Argument[] = [...names]
    for (const arg of shape.args) list.push(args[arg])
    for (const argument of more) list.push(argument)
    const commands = redis as unknown as BufferCommands
    const startedAt = performance.now()
    const reply = await commands
      .evalshaBuffer(sha, names.length, ...list)
      .catch((error: unknown) => {
        if (!(error instanceof Error) || !unknownScript.test(error.message)) throw error
        return commands.evalBuffer(text, names.length, ...list)
      })
      .catch((error: unknown) => {
        throw asOwn(error)
      })
    if (performance.now() - startedAt > slowMs) slowScripts.add(name)
    return shape.reply(Array.isArray(reply) ? reply.map((part) => (part instanceof Error ? asOwn(part) : part)) : reply)
  }
}

/** What a script's own errors mean to whoever asked, by their codes. */
export type ProblemTable = Record<string, readonly [status: number, code: string, field?: string]>

/** The Problem that a script's own error stands for; any other error as it is. */
export function problemOf<E>(error: E, table: ProblemTable): E | Problem {
  const entry = error instanceof ScriptError ? table[error.code] : undefined
  return entry ? new Problem(entry[0], entry[1], (error as Error).message, entry[2]) : error
}

/** Runs `call`, answering a script's own error with the Problem its code stands for. */
export async function asProblem<T>(call: Promise<T>, table: ProblemTable): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw problemOf(error, table)
  }
}

/**
 * The clock of one Redis, moved for whoever speaks to it over a line: what clients send is written anew on its way. Scripts and TIME see
 * the moved clock, and the moments at which scripts have keys expire are moved back, so that keys live as long as they would on a node
 * whose own clock is off. The server, the client and the scripts as the client knows them are untouched.
 */
import { createHash } from 'node:crypto'

/** @returns what goes on to the server instead of what a connection has sent, which may end in the midst of a request */
export type Rewrite = (chunk: Buffer) => Buffer

export interface MovedClock {
  /** for one connection more */
  connection(): Rewrite
}

/** an array */
const requestStart = '*'.charCodeAt(0)

const shaOf = (text: string) => createHash('sha1').update(text).digest('hex')

/** Stands before a script, on the line of its shebang, so that lines of errors stay what they are. */
const shim = (aheadMs: number) => `local redis = (function(real, ahead)
local own = {}
for name, value in pairs(real) do own[name] = value end
local function earlier(at, unit) return string.format('%.0f', at - math.floor(ahead / unit)) end
function own.call(name, ...)
local command, args = string.upper(name), { ... }
if command == 'TIME' then
local time = real.call(name)
local us = time[1] * 1000000 + time[2] + ahead * 1000
return { string.format('%.0f', math.floor(us / 1000000)), string.format('%.0f', us % 1000000) }
elseif command == 'PEXPIREAT' then args[2] = earlier(args[2], 1)
elseif command == 'EXPIREAT' then args[2] = earlier(args[2], 1000)
elseif command == 'PEXPIRETIME' then
local at = real.call(name, ...)
return at > 0 and at + ahead or at
elseif command == 'SET' then
for i = 3, #args - 1 do if string.upper(args[i]) == 'PXAT' then args[i + 1] = earlier(args[i + 1], 1) break end end
end
return real.call(name, unpack(args))
end
return own
end)(redis, ${aheadMs}) `

/** Redis takes a shebang on the first line alone. */
function moved(text: string, aheadMs: number): string {
  const end = text.startsWith('#!') ? text.indexOf('\n') + 1 : 0
  return `${text.slice(0, end)}${shim(aheadMs).replaceAll('\n', ' ')}${text.slice(end)}`
}

export function createMovedClock(aheadMs: number): MovedClock {
  /** by the name under which clients call it */
  const known = new Map<string, string>()
  const time = moved("return redis.call('TIME')", aheadMs)

  function anew([command, first, ...rest]: readonly Buffer[]): readonly (Buffer | string)[] | undefined {
    const name = String(command).toUpperCase()
    if (name === 'TIME' && first === undefined) return ['EVAL', time, '0']
    if (first === undefined) return undefined
    if (name === 'EVAL') {
      const text = moved(String(first), aheadMs)
      known.set(shaOf(String(first)), shaOf(text))
      return ['EVAL', text, ...rest]
    }
    // one that no client has sent is in no node
    if (name === 'EVALSHA') return ['EVALSHA', known.get(String(first)) ?? first, ...rest]
    return undefined
  }

  return {
    connection() {
      let left: Buffer = Buffer.alloc(0)
      let isClient = true
      return (chunk) => {
        // nodes that hand over data among themselves say other things
        isClient &&= left.length > 0 || chunk[0] === requestStart
        if (!isClient) return chunk
        left = left.length > 0 ? Buffer.concat([left, chunk]) : chunk
        const passed: Buffer[] = []
        for (let request = requestAt(left); request; request = requestAt(left)) {
          const written = anew(request.parts)
          passed.push(written ? inBytes(written) : left.subarray(0, request.length))
          left = left.subarray(request.length)
        }
        return Buffer.concat(passed)
      }
    },
  }
}

/** @returns the first request, an array of strings as clients send it; undefined while it is not complete */
function requestAt(bytes: Buffer): { readonly parts: readonly Buffer[]; readonly length: number } | undefined {
  const head = lineAt(bytes, 0)
  if (!head) return undefined
  const parts: Buffer[] = []
  let at = head.after
  for (let left = Number(head.text.slice(1)); left > 0; left -= 1) {
    const size = lineAt(bytes, at)
    if (!size) return undefined
    const end = size.after + Number(size.text.slice(1))
    if (bytes.length < end + 2) return undefined
    parts.push(bytes.subarray(size.after, end))
    at = end + 2
  }
  return { parts, length: at }
}

function lineAt(bytes: Buffer, from: number): { readonly text: string; readonly after: number } | undefined {
  const end = bytes.indexOf('\r\n', from)
  return end < 0 ? undefined : { text: bytes.toString('latin1', from, end), after: end + 2 }
}

const inBytes = (parts: readonly (Buffer | string)[]): Buffer =>
  Buffer.concat([
    Buffer.from(`*${parts.length}\r\n`),
    ...parts.flatMap((part) => [
      Buffer.from(`$${Buffer.byteLength(part)}\r\n`),
      Buffer.from(part as string),
      Buffer.from('\r\n'),
    ]),
  ])

/** Readers of what scripts reply: numbers come as numbers, texts as bytes, nothing as null. */

/** @throws TypeError when the script says something that its header does not */
function refuse(wanted: string, reply: unknown): never {
  throw new TypeError(`a script replied ${reply === null ? 'nothing' : typeof reply} instead of ${wanted}`)
}

export const numberReply = (reply: unknown): number => (typeof reply === 'number' ? reply : refuse('a number', reply))

/** 1 or 0 */
export const flagReply = (reply: unknown): boolean => numberReply(reply) === 1

export const bytesReply = (reply: unknown): Buffer => (Buffer.isBuffer(reply) ? reply : refuse('bytes', reply))

export const textReply = (reply: unknown): string => bytesReply(reply).toString()

/** `undefined` where the script replies nil, or false */
export const optionalReply =
  <T>(read: (reply: unknown) => T) =>
  (reply: unknown): T | undefined =>
    reply === null ? undefined : read(reply)

export const listReply =
  <T>(read: (reply: unknown) => T) =>
  (reply: unknown): T[] =>
    Array.isArray(reply) ? reply.map(read) : refuse('a list', reply)

/** An error of the script, or what it says where there is none. */
export const outcomeReply =
  <T>(read: (reply: unknown) => T) =>
  (reply: unknown): T | Error =>
    reply instanceof Error ? reply : read(reply)

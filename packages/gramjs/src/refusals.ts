import { RPCError } from 'telegram/errors/index.js'

/** There was no connection when the call was to be handed over. */
export class NotConnected extends Error {}

/** The session is of no use any more: the bot has to log in again. */
export function endsSession(error: unknown): boolean {
  return error instanceof RPCError && error.code === 401
}

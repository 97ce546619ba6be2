/** Answers as a behaviour has them. */
import type { ServerResponse } from 'node:http'
import type { ReceivedCall } from '../stand-in.ts'
import type { Behaviour, Reply } from './behaviours.ts'

const chunk = 'x'.repeat(64 * 1024)

export interface Replies {
  give(behaviour: Behaviour, response: ServerResponse): void
  /** What the caller is told by it. */
  told(behaviour: Behaviour): Pick<ReceivedCall, 'answered'>
  stop(): void
}

export function createReplies(): Replies {
  const waiting = new Set<NodeJS.Timeout>()

  function later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      waiting.delete(timer)
      act()
    }, ms)
    waiting.add(timer)
  }

  return {
    give({ reply, afterMs }, response) {
      if (afterMs === undefined) write(reply, response)
      else later(afterMs, () => write(reply, response))
    },
    told({ reply }) {
      if (reply.kind === 'status') return { answered: reply.status }
      return { answered: reply.kind === 'endless' ? 200 : 'nothing' }
    },
    stop() {
      for (const timer of waiting) clearTimeout(timer)
      waiting.clear()
    },
  }
}

function write(reply: Reply, response: ServerResponse): void {
  if (response.destroyed || reply.kind === 'silence') return
  if (reply.kind === 'cut') response.destroy()
  else if (reply.kind === 'status') response.writeHead(reply.status, reply.headers).end()
  else pour(response.writeHead(200))
}

/** As fast as it is taken, until whoever asked has gone. */
function pour(response: ServerResponse): void {
  while (!response.destroyed && response.write(chunk));
  if (!response.destroyed) response.once('drain', () => pour(response))
}

/** Confirmed messages on their way: put under their key, watched, and told of in one message until they have ended. */

import type { HistoryView, TrackerReport } from '@courier-fleet/api-types'
import { ApiError, type Client } from '@courier-fleet/client'
import type { Fleet } from '@courier-fleet/inbound'
import { type Clock, type Log, sleep } from '@courier-fleet/process'
import type { Conversations } from '../conversation/conversations.ts'
import type { Post } from '../store/chat.ts'
import type { Chats } from '../store/chats.ts'
import type { Secret } from '../store/secret.ts'
import type { Messenger } from '../telegram/messenger.ts'
import { wordsOf } from '../texts/index.ts'
import { momentIn } from '../texts/words.ts'
import { accept } from './accept.ts'
import { outcomeOf } from './outcome.ts'
import { createPaper, type Paper } from './paper.ts'

export interface Posts {
  /** Sees to it until its end was told; a post that is followed already is left alone. */
  follow(address: string, post: Post): void
  /** Takes up what an earlier life of this process has left. */
  resume(): void
  /** Lets go of all of them; whatever is not told yet is taken up by the next start. */
  stop(): Promise<void>
}

export interface PostsDeps {
  readonly chats: Chats
  readonly fleet: Fleet
  readonly messenger: Messenger
  readonly secret: Secret
  readonly clock: Clock
  readonly log: Log
  readonly giveBack: Conversations['giveBack']
  /** between two edits of one message */
  readonly editEveryMs?: number
}

const usualEditEveryMs = 1500
const retryMs = 1000
/** after its expiry a channel that never answered is named, and waited for no longer */
const afterExpiryMs = 60_000
const longestTimerMs = 2 ** 31 - 1

export function createPosts(deps: PostsDeps): Posts {
  const { chats, fleet, messenger, secret, clock, log, giveBack } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const followed = new Map<string, Promise<void>>()

  async function carry(address: string, post: Post): Promise<void> {
    const client = fleet.forContact(address)
    const words = wordsOf[post.language]
    const moment = momentIn(post.language, post.timeZone)
    let { messageId } = post
    const paper = createPaper({
      signal,
      everyMs: deps.editEveryMs ?? usualEditEveryMs,
      async put(text) {
        if (await messenger.edit(address, messageId, text)) return
        // the person has deleted it; an earlier life may have said it anew already, in other words
        const randomId = secret.randomIdOf(address, post.key, 'standing')
        messageId = (await messenger.send(address, text, randomId)) ?? messageId
        await messenger.edit(address, messageId, text)
      },
      onTrouble: (error) => log.debug({ reason: (error as Error).message }, 'cannot tell how a message goes'),
    })

    if (post.unsent) {
      paper.write(words.accepting)
      const accepted = await accept({ client, clock, log, signal }, post, post.unsent)
      if (accepted === undefined) return
      if (accepted === 'not-theirs') return end(address, post, paper, words.noLongerYours)
      if (accepted !== 'accepted') {
        await paper.finish(words.accepting)
        return giveBack(address, post, accepted.why(words, moment))
      }
      await keepAccepted(address, post.key)
    }
    const tell = (history: HistoryView) => {
      const { state, audience, at = '', channels } = history
      paper.write(words.standing({ state, size: audience?.size ?? 0, at, channels }, moment))
    }
    const report = await untilOver(client, post.key, tell)
    if (report === 'not-theirs') return end(address, post, paper, words.noLongerYours)
    if (report === undefined) return
    await end(address, post, paper, words.outcome(await outcomeOf(client, report, words)))
  }

  /** @returns undefined when told to stop before */
  async function untilOver(
    client: Client,
    key: string,
    tell: (history: HistoryView) => void,
  ): Promise<TrackerReport | 'not-theirs' | undefined> {
    while (!signal.aborted) {
      try {
        if (await watchOnce(client, key, tell)) return await client.track(key, 0)
      } catch (error) {
        if (error instanceof ApiError && error.problem.status < 500) {
          log.info({ key, code: error.problem.code }, 'a message can be watched no longer')
          return 'not-theirs'
        }
        log.debug({ key, reason: (error as Error).message }, 'cut off from a message; looking again')
      }
      await sleep(retryMs, signal)
    }
    return undefined
  }

  /** @returns whether there is nothing more to wait for; false when the service ended it */
  async function watchOnce(client: Client, key: string, tell: (history: HistoryView) => void): Promise<boolean> {
    const enough = new AbortController()
    const stop = () => enough.abort()
    signal.addEventListener('abort', stop, { once: true })
    let expiry: NodeJS.Timeout | undefined
    let isExpired = false
    try {
      for await (const history of client.watch(key, enough.signal)) {
        tell(history)
        if (history.state === 'settled' || history.state === 'cancelled') return true
        if (history.state !== 'running' || expiry) continue
        const leftMs = Date.parse(history.expires ?? '') + afterExpiryMs - clock.now()
        expiry = setTimeout(
          () => {
            isExpired = true
            stop()
          },
          Math.min(Math.max(leftMs, 0), longestTimerMs),
        )
      }
    } catch (error) {
      if (isExpired) return true
      if (!enough.signal.aborted) throw error
    } finally {
      clearTimeout(expiry)
      signal.removeEventListener('abort', stop)
    }
    return isExpired
  }

  async function keepAccepted(address: string, key: string): Promise<void> {
    await chats.change(address, (chat) => {
      chat.posts = chat.posts.map((post) => {
        const { unsent: _, ...accepted } = post
        return post.key === key ? accepted : post
      })
    })
  }

  /** First told, then forgotten: a crash in between tells it once more, in the same message. */
  async function end(address: string, { key }: Post, paper: Paper, text: string): Promise<void> {
    await paper.finish(text)
    await chats.change(address, (chat) => {
      chat.posts = chat.posts.filter((post) => post.key !== key)
    })
  }

  function follow(address: string, post: Post): void {
    if (followed.has(post.key) || signal.aborted) return
    const following = carry(address, post)
      .catch((error) => {
        if (!signal.aborted)
          log.error({ key: post.key, err: error }, 'cannot follow a message; the next start tries again')
      })
      .finally(() => followed.delete(post.key))
    followed.set(post.key, following)
  }

  return {
    follow,
    resume() {
      for (const { address, posts } of chats.all()) for (const post of posts) follow(address, post)
    },
    async stop() {
      stopping.abort()
      await Promise.all(followed.values())
    },
  }
}

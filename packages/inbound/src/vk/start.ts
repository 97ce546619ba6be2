import { createHash } from 'node:crypto'
import { createClient } from '@courier-fleet/client'
import { type Log, sleep, systemClock } from '@courier-fleet/process'
import { createAnswers } from '../answers.ts'
import { createAttend, type Visit } from '../attend.ts'
import { createNotes } from '../notes.ts'
import { untilWelcome } from '../until-welcome.ts'
import { createCommunity, RefusedToken } from './community.ts'
import type { VkInboundConfig } from './config.ts'
import { findPlace, type Place, readEvents, type VkEvent } from './read-events.ts'
import { readMessage } from './read-message.ts'
import { wordingFor, wordingLike } from './wording.ts'

const retryMs = 2000
const dayMs = 86_400_000
const repeatMs = 600_000

/** Resolves when it reads. VK or an API that is away is waited for. @throws Error for a wrong token or key */
export async function startVkInbound({ config, log }: { config: VkInboundConfig; log: Log }) {
  const { apiUrl, apiKey, dataDir } = config
  const stopping = new AbortController()
  const { signal } = stopping
  const client = createClient({ apiUrl, apiKey })
  const community = createCommunity(config)
  const attend = createAttend({
    channel: 'vk',
    client,
    clientFor: (address) => createClient({ apiUrl, apiKey, onBehalfOf: `vk:${address}` }),
    answers: createAnswers({ client, channel: 'vk' }),
    serve: async (visit) => greet(visit, Math.floor(systemClock.now() / dayMs)),
    wordingFor,
    wordingLike,
    clock: systemClock,
    repeatMs,
  })

  async function onEvent(event: VkEvent): Promise<void> {
    const message = readMessage(event)
    if (!message) return
    const { peer, text, id } = message
    const { name, reply } = await attend({ from: peer, to: '', text, id })
    if (reply === undefined) return
    await community.write(peer, reply, randomIdOf(name)).catch((error: unknown) => {
      log.info({ err: error }, 'an answer could not be written')
    })
  }

  /** @returns undefined when stopped before */
  async function insist<T>(ask: () => Promise<T>): Promise<T | undefined> {
    while (!signal.aborted) {
      try {
        return await ask()
      } catch (error) {
        if (error instanceof RefusedToken) throw error
        log.warn({ err: error }, 'VK does not answer; trying again')
        await sleep(retryMs, signal)
      }
    }
    return undefined
  }

  await untilWelcome(client, { log, signal })
  const groupId = (await insist(() => community.groupId())) ?? 0
  const reader = { community, groupId, places: createNotes<Place>(dataDir), onEvent, log }
  await insist(() => findPlace(reader))
  const reading = readEvents(reader, signal)
  log.info('taking texts')

  return {
    async stop() {
      stopping.abort()
      await reading
      community.close()
    },
  }
}

/** Once a day, whatever somebody writes. */
function greet({ who, address }: Visit, day: number) {
  const { name = '', language = '' } = who.person ?? {}
  return { text: wordingFor(language).greeting(name), key: `greeting.${address}.${day}` }
}

/** A positive int32, the same for the same text. */
function randomIdOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) & 0x7fff_ffff || 1
}

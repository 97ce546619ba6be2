import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError } from '@courier-fleet/client'
import type { Fleet } from '@courier-fleet/inbound'
import { silentLog, systemClock } from '@courier-fleet/process'
import { until } from '@courier-fleet/testkit'
import { expect } from 'chai'
import { createOutgoingMessages } from '../src/outgoing/outgoing-messages.ts'
import { type Chats, openChats } from '../src/store/chats.ts'
import { openSecret } from '../src/store/secret.ts'
import type { Messenger } from '../src/telegram/messenger.ts'
import { wordsOf } from '../src/texts/index.ts'

describe('a confirmed message whose chat may act no more', () => {
  let dataDir: string
  let chats: Chats
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'bot-outgoing-'))
    chats = openChats(dataDir, silentLog)
  })
  afterEach(() => rmSync(dataDir, { recursive: true }))

  /** @returns what stands in the chat at the end, where each call for this person is refused so */
  async function shownWhere(code: string): Promise<string | undefined> {
    const message = {
      key: '00.dean.abcdefgh',
      messageId: 7,
      language: 'en' as const,
      timeZone: 'UTC',
      unsent: { to: [{ token: 'group:a', name: 'A' }], text: 'No classes' },
      confirmedAt: Date.now(),
    }
    await chats.change('501', (chat) => {
      chat.outgoing = [message]
    })
    const refused = async () => {
      throw new ApiError({ type: 'about:blank', title: code, status: 403, detail: code, code })
    }
    const shown: string[] = []
    const messages = createOutgoingMessages({
      chats,
      fleet: { forContact: () => ({ put: refused, history: refused, watch: refused }) } as unknown as Fleet,
      messenger: {
        edit: async (_address: string, _messageId: number, text: string) => shown.push(text) > 0,
      } as unknown as Messenger,
      secret: openSecret(dataDir),
      clock: systemClock,
      log: silentLog,
      giveBack: async () => {
        throw new Error('the draft is not to be given back')
      },
      editEveryMs: 1,
    })
    messages.follow('501', message)
    await until(() => chats.all()[0]?.outgoing.length === 0, 'it is forgotten')
    await messages.stop()
    return shown.at(-1)
  }

  it('says that it is theirs no more', async () => {
    for (const code of ['unknown-contact', 'not-your-history'])
      expect(await shownWhere(code)).to.equal(wordsOf.en.noLongerYours)
  })

  it('says that they wanted no messages there, where they have said STOP meanwhile: it is linked to them still', async () => {
    expect(await shownWhere('opted-out')).to.equal(wordsOf.en.stillStopped)
  })
})

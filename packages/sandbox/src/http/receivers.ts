/** The receivers as the wall shows them: what was called, how often, and what was answered; and the secrets they were given. */
import type { Chats, ReceivedCall, ShownMessage } from '../stand-in.ts'
import type { World } from '../world.ts'
import { http } from './channel.ts'
import type { Version } from './read-call.ts'

/** of a receiver: calls, and secrets that are tried */
const maxShown = 20
const maxSecrets = 10
const maxVersions = 1000
/** receivers; the one that was called longest ago is forgotten */
const maxReceivers = 5000
const secretForm = /^whsec_[\w+/-]+=*$/

interface Receiver {
  readonly messages: ShownMessage[]
  readonly secrets: string[]
  /** by history, the highest that has come */
  readonly versions: Map<string, number>
}

export interface Receivers extends Chats {
  secretsOf(address: string): readonly string[]
  /** A call that came; a further try is shown as that, not as another call. */
  note(address: string, text: string, call: Omit<ReceivedCall, 'tries'>): void
  /** Notes that it has come. @returns whether a higher version of the same history has, so that this one is of somebody slow */
  isOutdated(address: string, version: Version): boolean
  /** What came under these ids has another text, or without one is gone. */
  change(address: string, replaces: readonly string[], text: string | undefined): void
}

export function createReceivers(world: World): Receivers {
  const known = new Map<string, Receiver>()
  let lastId = 0

  function receiverOf(address: string): Receiver {
    const receiver = known.get(address) ?? { messages: [], secrets: [], versions: new Map<string, number>() }
    known.delete(address)
    known.set(address, receiver)
    const [oldest] = known.keys()
    if (known.size > maxReceivers && oldest !== undefined) known.delete(oldest)
    return receiver
  }

  function add(address: string, message: Omit<ShownMessage, 'id' | 'at'>): void {
    const { messages } = receiverOf(address)
    if (messages.push({ id: ++lastId, at: Date.now(), ...message }) > maxShown) messages.shift()
    world.emit('changed', { channel: http, address })
  }

  // what is written to a receiver on the wall is the secret that the fleet told its owner
  world.on('say', ({ channel, address, text }) => {
    const secret = text.trim()
    if (channel !== http || !secretForm.test(secret)) return
    const { secrets } = receiverOf(address)
    secrets.push(secret)
    if (secrets.length > maxSecrets) secrets.shift()
    add(address, { from: 'person', text: `${secret.slice(0, 10)}…` })
  })
  world.on('forgotten', () => {
    for (const { messages, versions } of known.values()) {
      messages.length = 0
      versions.clear()
    }
  })

  return {
    secretsOf: (address) => known.get(address)?.secrets ?? [],
    note(address, text, call) {
      const { messages } = receiverOf(address)
      const before = messages.findIndex((each) => call.id !== '' && each.call?.id === call.id)
      const tries = (messages[before]?.call?.tries ?? 0) + 1
      if (before >= 0) messages.splice(before, 1)
      add(address, { from: 'client', text, call: { ...call, tries } })
    },
    isOutdated(address, { history, number }) {
      const { versions } = receiverOf(address)
      if (number < (versions.get(history) ?? 0)) return true
      versions.delete(history)
      versions.set(history, number)
      const [oldest] = versions.keys()
      if (versions.size > maxVersions && oldest !== undefined) versions.delete(oldest)
      return false
    },
    change(address, replaces, text) {
      const messages = known.get(address)?.messages ?? []
      const whose = messages.filter(({ call }) => call !== undefined && replaces.includes(call.id))
      for (const message of whose) {
        const changed = text === undefined ? [] : [{ ...message, text, editedAt: Date.now() }]
        messages.splice(messages.indexOf(message), 1, ...changed)
      }
    },
    read: (address) => ({ messages: known.get(address)?.messages ?? [] }),
    press: () => false,
    addresses: () => known.keys(),
  }
}

/** The message being written. Survives a reload of the page; one attempt to send it, however often repeated, sends once. */
import type { MessageInput } from '@courier-fleet/api-types'
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { instantOf } from '../wall-time.ts'

export interface Recipient {
  /** `group:…`, `cohort:…`, `role:…`, `user:…` */
  readonly token: string
  readonly label: string
}

export interface DraftContent {
  readonly to: readonly Recipient[]
  readonly text: string
  readonly when: 'now' | 'later'
  /** wall time of the person's zone; what a date field holds */
  readonly at: string
  readonly class: NonNullable<MessageInput['class']>
}

/** What was offered to the API and perhaps heard by it: sent again word by word until it has answered. */
interface Attempt {
  readonly idempotencyKey: string
  readonly message: MessageInput
}

export interface Draft {
  readonly content: ReadonlySignal<DraftContent>
  /** present while it is not known what became of it */
  readonly attempt: ReadonlySignal<Attempt | undefined>
  /** Whatever was attempted before was another message. */
  change(changes: Partial<DraftContent>): void
  /** The same attempt until it was answered. @param sha256 of the audience the sender has seen */
  begin(zone: string, sha256: string | undefined): Attempt
  /** The API refused: the next attempt is a new one. */
  refused(): void
  clear(): void
  /** What somebody else has left at this browser is nobody's business. */
  openFor(owner: string): void
}

const storageKey = 'draft'
const empty: DraftContent = { to: [], text: '', when: 'now', at: '', class: 'normal' }

interface Kept {
  readonly owner?: string | undefined
  readonly content: DraftContent
  readonly attempt?: Attempt | undefined
}

/** as browsers have it */
interface Storage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

export function createDraft(storage: Storage): Draft {
  const kept = signal<Kept>(read(storage))
  effect(() => storage.setItem(storageKey, JSON.stringify(kept.value)))

  const keep = (next: Omit<Kept, 'owner'>) => {
    kept.value = { owner: kept.value.owner, ...next }
  }

  return {
    content: computed(() => kept.value.content),
    attempt: computed(() => kept.value.attempt),
    change(changes) {
      keep({ content: { ...kept.value.content, ...changes } })
    },
    begin(zone, sha256) {
      const { content, attempt } = kept.value
      if (attempt) return attempt
      const begun = { idempotencyKey: `web-${randomId()}`, message: messageOf(content, zone, sha256) }
      keep({ content, attempt: begun })
      return begun
    },
    refused() {
      keep({ content: kept.value.content })
    },
    clear() {
      keep({ content: empty })
    },
    openFor(owner) {
      if (kept.value.owner !== owner) kept.value = { owner, content: empty }
    },
  }
}

function read(storage: Storage): Kept {
  try {
    const { owner, content, attempt } = JSON.parse(storage.getItem(storageKey) ?? '{}')
    return { owner, content: { ...empty, ...content }, attempt }
  } catch {
    return { content: empty }
  }
}

function messageOf({ to, text, when, at, class: urgency }: DraftContent, zone: string, sha256?: string): MessageInput {
  return {
    to: to.map(({ token }) => token),
    text,
    // a time that cannot be read is for the API to refuse, at its field
    at: when === 'now' ? 'now' : (instantOf(zone, at) ?? at),
    class: urgency,
    source: 'web',
    ...(sha256 ? { expect: { sha256 } } : {}),
  }
}

/** crypto.randomUUID() is there behind https only */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

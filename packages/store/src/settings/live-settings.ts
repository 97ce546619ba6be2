/**
 * The newest settings, in every process: a hint tells of a new version at once, and a look every two seconds finds what no hint
 * told. Somebody may have written into Redis what is no settings: then the last good ones stay, and it is said that they do.
 */
import { EventEmitter } from 'node:events'
import { alignedInterval, createThrottledLog, type Log } from '@courier-fleet/process'
import type { Redis } from '../connection/client.ts'
import { hints } from '../keys.ts'
import type { Subscriber } from '../subscriber/subscriber.ts'
import { readVersions, type SettingsVersion } from './read-versions.ts'
import { parseSettings, type Settings, type StoredSettings, settingsOf } from './settings.ts'
import { keptVersions } from './write-settings.ts'

export interface LiveSettings {
  /** as they are now, and stay: whoever decides takes them once */
  current(): Settings
  /** Calls the listener after each change. @returns a function that stops that */
  changed(listener: () => void): () => void
  /** as the environment says: they hold where nobody has set anything */
  readonly first: StoredSettings
  /** what of the current ones somebody has set */
  stored(): StoredSettings
  /** the number of the newest version in Redis, usable or not; 0 for none */
  newest(): number
  /** Reads them anew: whatever was written before is seen. */
  look(): Promise<void>
  /** in words, while the newest version in Redis is not the one that is used */
  problem(): string | undefined
  stop(): void
}

interface LiveSettingsDeps {
  readonly redis: Redis
  readonly subscriber: Subscriber
  readonly first?: StoredSettings
  readonly log: Log
}

const lookMs = 2_000

/** Resolves once they are known. */
export async function startLiveSettings(deps: LiveSettingsDeps): Promise<LiveSettings> {
  const settings = new SettingsReader(deps)
  await settings.start()
  return settings
}

class SettingsReader implements LiveSettings {
  readonly #deps: LiveSettingsDeps
  readonly first: StoredSettings
  readonly #logThrottled: (fields: object, text: string) => void
  readonly #events = new EventEmitter<{ change: [] }>().setMaxListeners(0)
  #current: Settings
  #stored: StoredSettings = {}
  #newest = 0
  /** of the version that is used; empty while nobody has set anything */
  #token = ''
  #problem: string | undefined
  #looking: Promise<void> | undefined
  #nextLook: Promise<void> | undefined
  #stopLooking = () => {}

  constructor(deps: LiveSettingsDeps) {
    this.#deps = deps
    this.first = deps.first ?? {}
    this.#logThrottled = createThrottledLog((fields, text) => deps.log.error(fields, text))
    this.#current = settingsOf(this.first)
  }

  async start(): Promise<void> {
    const { subscriber } = this.#deps
    subscriber.on('message', this.#onMessage)
    subscriber.on('ready', this.#lookSoon)
    try {
      await subscriber.subscribe(hints.settings)
      await this.look()
      if (this.#problem !== undefined) await this.#begin()
    } catch (error) {
      this.stop()
      throw error
    }
    this.#stopLooking = alignedInterval(lookMs, this.#lookSoon)
  }

  current(): Settings {
    return this.#current
  }

  changed(listener: () => void): () => void {
    this.#events.on('change', listener)
    return () => void this.#events.off('change', listener)
  }

  stored(): StoredSettings {
    return this.#stored
  }

  newest(): number {
    return this.#newest
  }

  problem(): string | undefined {
    return this.#problem
  }

  look(): Promise<void> {
    if (!this.#looking) {
      this.#looking = this.#lookNow().finally(() => {
        this.#looking = undefined
      })
      return this.#looking
    }
    // the one that is under way may have begun too early
    this.#nextLook ??= this.#looking
      .catch(() => {})
      .then(() => {
        this.#nextLook = undefined
        return this.look()
      })
    return this.#nextLook
  }

  stop(): void {
    const { subscriber } = this.#deps
    this.#stopLooking()
    subscriber.off('message', this.#onMessage)
    subscriber.off('ready', this.#lookSoon)
  }

  /** What cannot be read now is read at the next look. */
  readonly #lookSoon = (): void => void this.look().catch(() => {})

  readonly #onMessage = (channel: string): void => {
    if (channel === hints.settings) this.#lookSoon()
  }

  async #lookNow(): Promise<void> {
    const [newest] = await readVersions(this.#deps.redis, 1)
    const { version = 0, token = '' } = newest ?? {}
    this.#newest = version
    if (token === this.#token && version === this.#current.version) {
      this.#problem = undefined
      return
    }
    try {
      this.#take(newest)
    } catch (error) {
      const used = `version ${this.#current.version} still is`
      this.#problem = `version ${version} of the settings in Redis cannot be used, ${used}: ${wordsOf(error)}`
      this.#logThrottled({}, this.#problem)
    }
  }

  /** @throws Error where it is no settings */
  #take(version: SettingsVersion | undefined): void {
    const stored = version ? parseSettings(version.json) : {}
    this.#current = settingsOf(this.first, stored, version?.version ?? 0)
    this.#stored = stored
    this.#token = version?.token ?? ''
    this.#problem = undefined
    this.#events.emit('change')
  }

  /**
   * A process that starts has no last good ones: it takes those it would have had.
   * @throws Error in one line where the newest are good, but not with what its environment says
   */
  async #begin(): Promise<void> {
    const versions = await readVersions(this.#deps.redis, keptVersions)
    const [newest] = versions
    if (newest && isGood(newest)) throw new Error(`the environment does not go with the settings: ${this.#problem}`)
    const good = versions.find(isGood)
    if (good) this.#take(good)
    await this.look()
  }
}

const isGood = ({ json }: SettingsVersion): boolean => {
  try {
    return settingsOf({}, parseSettings(json)) !== undefined
  } catch {
    return false
  }
}

/** What is wrong, without what was there. */
function wordsOf(error: unknown): string {
  const [issue] = (error as { issues?: { path: PropertyKey[]; message: string }[] }).issues ?? []
  return issue ? `${issue.path.join('.')}: ${issue.message}` : 'it is no JSON object'
}

/**
 * Tells operators over the fleet's own channels, each in their language; administrators where there is no operator. Told again, whatever of
 * it was told before is not sent again: the id of a message is made of what it tells.
 */
import { hash } from 'node:crypto'
import { systemSender } from '@courier-fleet/api-types'
import { everyBucket, fleetMessage, type Histories, keys, type LiveSettings, type Redis } from '@courier-fleet/store'
import type { AlarmLanguage } from './texts.ts'

/** What is not told by then is told by the next alarm, or is over. */
const lifeMs = 3_600_000

interface TellDeps {
  readonly redis: Redis
  readonly histories: Pick<Histories, 'place' | 'put'>
  readonly settings: Pick<LiveSettings, 'current'>
  readonly languagesOf: (people: readonly string[]) => Promise<readonly (string | undefined)[]>
}

/** @param what is told: the same whichever process tells it, and another the next time */
export type TellOperators = (what: string, textIn: (language: AlarmLanguage) => string) => Promise<void>

/** as long as other ids of messages */
const idLength = 16
const idOf = (what: string) => hash('sha256', what, 'base64url').slice(0, idLength)

export function createTellOperators({ redis, histories, settings, languagesOf }: TellDeps): TellOperators {
  async function operators(): Promise<string[]> {
    for (const rights of ['operator', 'admin']) {
      const made = settings.current().roles.filter((role) => role.rights === rights)
      const ids = [...new Set([rights, ...made.map(({ id }) => id)])]
      const found = ids.flatMap((role) => everyBucket((bucket) => redis.smembers(keys.role(bucket, role))))
      const people = (await Promise.all(found)).flat()
      if (people.length > 0) return people.sort()
    }
    return []
  }

  return async (what, textIn) => {
    const people = await operators()
    const languages = await languagesOf(people)
    for (const language of ['ru', 'en'] as const) {
      const audience = people.filter((_id, at) => (languages[at]?.startsWith('ru') ? 'ru' : 'en') === language)
      if (audience.length === 0) continue
      const placed = await histories.place(systemSender, idOf(`${what} ${language}`))
      const [text, expiresMs] = [textIn(language), Date.now() + lifeMs]
      await histories.put(fleetMessage({ ...placed, text, people: audience, class: 'urgent', expiresMs }))
    }
  }
}

/** Somebody has pressed the button under a message that confirms it: it is recorded first, then they are told. */
import type { Log } from '@courier-fleet/process'
import { isProblem } from '../api-problems.ts'
import type { Fleet } from '../fleet.ts'
import type { Community } from './community.ts'
import type { Press } from './read-message.ts'
import { notConfirmed, wordingFor } from './wording.ts'

export interface ConfirmDeps {
  readonly fleet: Pick<Fleet, 'own'>
  readonly community: Pick<Community, 'answerPress'>
  readonly log: Log
}

/** Never rejects: whoever is not told that it is noted may press again. */
export async function confirmMessage(press: Press, deps: ConfirmDeps): Promise<void> {
  const { community, log } = deps
  const text = await confirm(press, deps)
  await community.answerPress(press, text).catch((error: unknown) => {
    log.info({ err: error }, 'a press could not be answered')
  })
}

/** @returns what they are told */
async function confirm({ peer, token }: Press, { fleet, log }: ConfirmDeps): Promise<string> {
  try {
    const { confirmed, language, timeZone } = await fleet.own.confirm({ channel: 'vk', address: peer, token })
    return wordingFor(language).confirmed(confirmed.at, timeZone)
  } catch (error) {
    log.debug({ reason: (error as Error).message }, 'a message could not be confirmed')
    return whyNot(error)
  }
}

function whyNot(error: unknown): string {
  if (isProblem(error, 'not-for-you', 'unknown-contact')) return notConfirmed.notForYou
  if (isProblem(error, 'older-text')) return notConfirmed.older
  if (isProblem(error, 'unknown-confirmation', 'invalid')) return notConfirmed.outOfDate
  return notConfirmed.pressAgain
}

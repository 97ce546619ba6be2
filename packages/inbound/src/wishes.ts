/** Switching a type of message off and on, and one's own quiet hours, wherever people write. */
import type { ConsentView, WishesInput, WishesView } from '@courier-fleet/api-types'
import type { Client } from '@courier-fleet/client'
import type { Language } from '@courier-fleet/words'
import { isProblem } from './api-problems.ts'
import { type Candidate, findOne } from './find-audience.ts'
import type { Hours } from './read-hours.ts'
import type { WishesWording } from './wishes-wording.ts'

/** Whoever writes, and what is done for them. */
export interface Speaker {
  /** calls for the person */
  readonly person: Pick<Client, 'wishes' | 'changeWishes'>
  /** the person's id */
  readonly owner: string
  readonly language: Language
  /** as the contact said it */
  readonly consent: (type: string, allowed: boolean) => Promise<ConsentView>
}

export interface Said {
  readonly text: string
  /** something was done; else the question is what was meant */
  readonly isDone: boolean
}

export type TypeOffered = WishesView['types'][number]

const candidateOf = ({ id, name }: TypeOffered, language: Language): Candidate => ({
  kind: 'type',
  id,
  name: name[language],
  alias: name[language === 'ru' ? 'en' : 'ru'],
})

/** Exactly the type that is meant, and none when that is not certain. May be repeated: off twice is off. */
export async function switchType(
  { person, owner, language, consent }: Speaker,
  { name, isOn }: { readonly name: string; readonly isOn: boolean },
  wording: WishesWording,
): Promise<Said> {
  const { types } = await person.wishes(owner)
  const ofThese = (offered: readonly TypeOffered[]) => offered.map((type) => candidateOf(type, language))
  const mandatory = ofThese(types.filter((type) => type.mandatory))
  const optional = ofThese(types.filter((type) => !type.mandatory))
  const found = findOne(name, [...optional, ...mandatory])
  if (found.kind === 'unknown') return { text: wording.noType(name, found.nearest, optional), isDone: false }
  if (found.kind === 'ambiguous') return { text: wording.whichType(name, found.candidates), isDone: false }
  const { candidate: type } = found
  try {
    await consent(type.id, isOn)
  } catch (error) {
    if (isProblem(error, 'mandatory-type')) return { text: wording.mandatoryType(type), isDone: false }
    // removed since it was found
    if (isProblem(error, 'unknown-type')) return { text: wording.noType(name, [], optional), isDone: false }
    throw error
  }
  return { text: isOn ? wording.typeOn(type) : wording.typeOff(type, mandatory), isDone: true }
}

/** @param hours undefined: nothing is changed, the question is which they are */
export async function setQuiet(
  { person, owner }: Speaker,
  hours: Hours | undefined,
  wording: WishesWording,
): Promise<Said> {
  const view = hours === undefined ? await person.wishes(owner) : await person.changeWishes(owner, withQuiet(hours))
  return { text: wording.quiet(view.quiet ?? 'fleet'), isDone: true }
}

const withQuiet =
  (hours: Hours) =>
  ({ off }: WishesView): WishesInput => ({ off, ...(hours === 'fleet' ? {} : { quiet: hours }) })

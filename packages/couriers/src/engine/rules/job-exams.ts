/** Exams in one send job: who of its people is in a group that sits one about now. Nothing is read where none is about now. */
import type { Directory } from '@courier-fleet/directory'
import { createExamClock, examsAbout, groupsOf, heedsExams, type Quiet } from '@courier-fleet/rules'
import type { Settings } from '@courier-fleet/store'
import type { ClaimBuffer } from '../claims/claim-buffer.ts'

/** A claim and its people, in the order of their ordinals. */
export interface People {
  readonly buffer: ClaimBuffer
  readonly people: readonly string[]
}

export interface JobExams {
  /** Whether somebody of a claim has one about now: their zone is needed then. */
  concern(buffer: ClaimBuffer, person: string): boolean
  /** @returns theirs at a moment, Unix ms; undefined for whom no exam is about now */
  of(buffer: ClaimBuffer, person: string, zone: string): ((atMs: number) => Quiet) | undefined
}

/** Claims whose messages wait for the end of exams; none where no exams are set. */
export const heeding = (claims: readonly People[], settings: Settings): People[] =>
  claims.filter(({ buffer: { claim, message } }) => heedsExams({ class: claim.class, ...message.rules }, settings))

/** @param nowMs Unix ms */
export async function readExams(
  claims: readonly People[],
  settings: Settings,
  nowMs: number,
  directory: Pick<Directory, 'groupsAmong'>,
): Promise<JobExams> {
  const exams = claims.length > 0 ? examsAbout(settings.exams, nowMs, nowMs) : []
  const people = exams.length > 0 ? claims.flatMap((each) => each.people) : []
  const found = people.length > 0 ? await directory.groupsAmong(groupsOf(exams), people) : []
  const groups = new Map<string, readonly string[]>()
  for (const [index, own] of found.entries()) if (own.length > 0) groups.set(people[index] as string, own)
  const buffers = new Set(claims.map(({ buffer }) => buffer))
  const clock = createExamClock(exams)
  const groupsFor = (buffer: ClaimBuffer, person: string) => (buffers.has(buffer) ? groups.get(person) : undefined)
  return {
    concern: (buffer, person) => groupsFor(buffer, person) !== undefined,
    of(buffer, person, zone) {
      const own = groupsFor(buffer, person)
      return own && ((atMs) => clock.at(atMs, own, zone))
    },
  }
}

/** Which exams hold the people of a message, and until when somebody is held by those of their groups. Times are Unix ms. */
import { type Exam, examSpan, type FleetSettings, zoneOffset } from '@courier-fleet/api-types'
import type { Quiet } from './quiet-hours.ts'
import { heedsQuiet, type QuietMessage } from './quiet-policy.ts'

/** Clocks on walls are at most 14 hours from UTC. What begins soon after is found, too: it holds whoever is not marked by then. */
const marginMs = 86_400_000

/** Those that may hold people of a message in this time; none where it goes out in quiet hours. */
export function examsFor(
  message: QuietMessage,
  settings: Pick<FleetSettings, 'exams' | 'types'>,
  fromMs: number,
  toMs: number,
): readonly Exam[] {
  return heedsExams(message, settings) ? examsAbout(settings.exams, fromMs, toMs) : []
}

/** Whether any exam there is may hold its people. */
export const heedsExams = (message: QuietMessage, settings: Pick<FleetSettings, 'exams' | 'types'>): boolean =>
  settings.exams.length > 0 && heedsQuiet(message, settings)

/** Those that are on, or begin soon, at some moment from this until that, wherever somebody is. */
export function examsAbout(exams: readonly Exam[], fromMs: number, toMs: number): readonly Exam[] {
  return exams.filter((exam) => {
    const { from, to } = examSpan(exam)
    return from - marginMs < toMs && to + marginMs > fromMs
  })
}

export const groupsOf = (exams: readonly Exam[]): string[] => [...new Set(exams.map(({ group }) => group))]

interface Span {
  readonly group: string
  readonly fromMs: number
  readonly toMs: number
}

export interface ExamClock {
  /** Whether one of their exams is on, and the least moment from then on at which that is otherwise. @param zone one this machine knows */
  at(nowMs: number, groups: readonly string[], zone: string): Quiet
}

/** When they are in a zone is computed once. */
export function createExamClock(exams: readonly Exam[]): ExamClock {
  const known = new Map<string, readonly Span[]>()
  function spansIn(zone: string): readonly Span[] {
    const spans = known.get(zone) ?? spansOf(exams, zone)
    known.set(zone, spans)
    return spans
  }
  return {
    at(nowMs, groups, zone) {
      if (groups.length === 0) return { isQuiet: false, untilMs: Number.POSITIVE_INFINITY }
      const own = spansIn(zone).filter(({ group, toMs }) => toMs > nowMs && groups.includes(group))
      let untilMs = nowMs
      // in the order of their beginnings: one that begins before the last has ended goes on with it
      for (const { fromMs, toMs } of own) if (fromMs <= untilMs) untilMs = Math.max(untilMs, toMs)
      if (untilMs > nowMs) return { isQuiet: true, untilMs }
      return { isQuiet: false, untilMs: own[0]?.fromMs ?? Number.POSITIVE_INFINITY }
    },
  }
}

function spansOf(exams: readonly Exam[], zone: string): readonly Span[] {
  const offsetAt = zoneOffset(zone)
  // in an hour that a night has not, or has twice, it is one of the two moments
  const momentOf = (shown: number) => shown - offsetAt(shown - offsetAt(shown))
  return exams
    .map((exam) => {
      const { from, to } = examSpan(exam)
      return { group: exam.group, fromMs: momentOf(from), toMs: momentOf(to) }
    })
    .sort((one, other) => one.fromMs - other.fromMs)
}

/** When a group sits an exam: its people are not written to meanwhile, on the clock of each. */
import { z } from 'zod'
import { id } from './given-fields.ts'

const dayMs = 86_400_000
const form = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$/

/** What a wall clock shows then, as ms since midnight of 1970-01-01 on it; NaN for what is on no calendar. */
function shownAt(text: string): number {
  const iso = text.includes('T') ? text : `${text}T00:00`
  const shown = Date.parse(`${iso}Z`)
  // 30 February is read as a day of March, or not at all
  return Number.isNaN(shown) || new Date(shown).toISOString().startsWith(iso) ? shown : Number.NaN
}

/** From this moment on until that one, both as wall clocks show them. A day without a time is meant from its beginning until its end. */
export function examSpan({ from, to }: { readonly from: string; readonly to: string }) {
  return { from: shownAt(from), to: shownAt(to) + (to.includes('T') ? 0 : dayMs) }
}

const moment = z
  .string()
  .refine(
    (text) => form.test(text) && !Number.isNaN(shownAt(text)),
    'a day such as 2026-01-12, or a time of it such as 2026-01-12T09:00, without a zone',
  )
  .meta({ examples: ['2026-01-12', '2026-01-12T09:00'] })

export const exam = z
  .strictObject({
    group: id.describe('the group that sits it'),
    from: moment.describe('from this day, or time, on'),
    to: moment.describe('until this time, which is not of the exam any more; of a day without a time, until its end'),
  })
  .refine(
    (each) => {
      const { from, to } = examSpan(each)
      return !(from >= to)
    },
    { path: ['to'], message: 'an exam ends after it begins' },
  )
export type Exam = z.infer<typeof exam>

export const maxExams = 100
export const exams = z
  .array(exam)
  .max(maxExams)
  .meta({ examples: [[{ group: 'ekn-101', from: '2026-01-12', to: '2026-01-12' }]] })

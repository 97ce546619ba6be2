/** Makes what is due, what is to be done and other indexes of messages again from the histories. */
import type { RebuildView } from '@courier-fleet/api-types'
import { defineCommand } from '../define-command.ts'

type Found = Omit<RebuildView, 'next'>

export const rebuild = defineCommand({
  name: 'rebuild',
  summary: 'After a restore in part: make due sets, work streams and other indexes again from the histories',
  parameters: [],
  options: {},
  exits: { 0: 'what was missing is there again' },
  async execute({ answer, json, terminal, client }) {
    const calls = client()
    let found: Found = { histories: 0, due: 0, entries: 0, indexes: 0 }
    let step: RebuildView = await calls.rebuild()
    for (;;) {
      found = sum(found, step)
      if (step.next === undefined) break
      if (!json) terminal.out(`… ${textOf(found)}`)
      step = await calls.rebuild(step.next)
    }
    answer(found, () => `${textOf(found)}\n${notMadeAgain}`)
    return 0
  },
})

/** No history says it: docs/faults.md tells what follows. */
const notMadeAgain = 'Not made again: statistics, and events that messages hang on.'

const sum = (one: Found, other: Found): Found => ({
  histories: one.histories + other.histories,
  due: one.due + other.due,
  entries: one.entries + other.entries,
  indexes: one.indexes + other.indexes,
})

const textOf = ({ histories, due, entries, indexes }: Found) =>
  `Messages looked at: ${histories}. Missing, and there again: deliveries ${due}, entries of work streams ${entries}, in other indexes ${indexes}.`

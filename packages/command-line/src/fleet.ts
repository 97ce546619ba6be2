/** `fleet <command>`, and the commands that have an npm script of their own. */
import type { Command } from './command.ts'
import { api } from './commands/api.ts'
import { applications } from './commands/applications.ts'
import { audit } from './commands/audit.ts'
import { backup, restore } from './commands/backup.ts'
import { bulk } from './commands/bulk.ts'
import { cancel } from './commands/cancel.ts'
import { channels } from './commands/channels.ts'
import { completion } from './commands/completion.ts'
import { contacts } from './commands/contacts.ts'
import { correct } from './commands/correct.ts'
import { data } from './commands/data.ts'
import { diary } from './commands/diary.ts'
import { endpoints } from './commands/endpoints.ts'
import { enrol } from './commands/enrol.ts'
import { erase } from './commands/erase.ts'
import { events } from './commands/events.ts'
import { find } from './commands/find.ts'
import { flow } from './commands/flow.ts'
import { groups } from './commands/groups.ts'
import { importRoster } from './commands/import.ts'
import { imports } from './commands/imports.ts'
import { keys } from './commands/keys.ts'
import { limits } from './commands/limits.ts'
import { list } from './commands/list.ts'
import { online } from './commands/online.ts'
import { people } from './commands/people.ts'
import { rebuild } from './commands/rebuild.ts'
import { receipts } from './commands/receipts.ts'
import { recount } from './commands/recount.ts'
import { rehearse } from './commands/rehearse.ts'
import { release } from './commands/release.ts'
import { reschedule } from './commands/reschedule.ts'
import { retry } from './commands/retry.ts'
import { roles } from './commands/roles.ts'
import { send } from './commands/send.ts'
import { settings } from './commands/settings.ts'
import { shards } from './commands/shards.ts'
import { stats } from './commands/stats.ts'
import { status } from './commands/status.ts'
import { streams } from './commands/streams.ts'
import { subscriptions } from './commands/subscriptions.ts'
import { templates } from './commands/templates.ts'
import { top } from './commands/top.ts'
import { topics } from './commands/topics.ts'
import { types } from './commands/types.ts'
import { resend, resolve } from './commands/unknown.ts'
import { cancelWaiting, sendNow } from './commands/waiting.ts'
import { watch } from './commands/watch.ts'
import { wishes } from './commands/wishes.ts'
import { programOf, programOfOne, type Run } from './program.ts'
import { runProgram } from './run.ts'
import type { Terminal } from './terminal.ts'

/** in the order of the help */
export const commands: readonly Command[] = [
  send,
  bulk,
  watch,
  status,
  list,
  receipts,
  flow,
  resolve,
  resend,
  retry,
  correct,
  reschedule,
  events,
  cancel,
  sendNow,
  cancelWaiting,
  release,
  rehearse,
  limits,
  people,
  contacts,
  find,
  data,
  applications,
  erase,
  groups,
  enrol,
  topics,
  templates,
  types,
  roles,
  settings,
  wishes,
  diary,
  online,
  importRoster,
  imports,
  keys,
  subscriptions,
  endpoints,
  channels,
  top,
  shards,
  streams,
  stats,
  audit,
  recount,
  rebuild,
  backup,
  restore,
  api,
  completion(() => commands),
]

/** @returns the exit code */
export async function fleetCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const run: Run = { code: 0 }
  return runProgram(programOf(commands, terminal, run), args, terminal, run)
}

const script = (command: Command) => (args: readonly string[], terminal: Terminal) => {
  const run: Run = { code: 0 }
  return runProgram(programOfOne(command, `npm run ${command.name} --`, terminal, run), args, terminal, run)
}

export const sendCommand = script(send)
export const importCommand = script(importRoster)
export const recountCommand = script(recount)

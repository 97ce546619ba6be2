import { limitOf } from '@courier-fleet/api-types'
import { allOf } from '@courier-fleet/process'
import { nanoid } from 'nanoid'
import type { Redis } from '../connection/client.ts'
import { keys } from '../keys.ts'
import { headBytes } from './audience.ts'
import type { PutInput } from './histories.ts'
import { inRecord, type ScheduleInput, upload, uploadedIn } from './history-scripts.ts'
import { packRecord } from './message-record.ts'
import { hashOfAudience, type PackedAudience, packAudience } from './packed-audience.ts'
import { createScheduling, type Scheduled } from './scheduling.ts'
import { packSteps } from './steps.ts'

/** Larger audiences are uploaded under a key of their own, so that no script carries megabytes; one that is not taken lapses. */
const inlineBytes = 16_384
const lapseMs = 600_000
/** written in one step: others are served in between */
const pieceBytes = 65_536

/** @returns accepts messages; of each, in order, what became of it */
export function createPutMessages(redis: Redis): (inputs: readonly PutInput[]) => Promise<Scheduled[]> {
  const schedule = createScheduling(redis)

  async function uploadRows(key: string, rows: Buffer): Promise<void> {
    for (let from = 0; from < rows.length; from += pieceBytes) {
      // as a string: what is sent as bytes is copied twice on its way, outside of the heap, and stays until the next long collection
      await upload(redis, key, from, rows.toString('latin1', from, from + pieceBytes), lapseMs)
    }
  }

  async function putLarge(input: PutInput, audience: PackedAudience): Promise<ScheduleInput> {
    const attempt = nanoid()
    const uploading = uploadRows(keys.upload(input.ref, attempt), audience.rows)
    const [sha256] = await Promise.all([hashOfAudience(audience), uploading])
    return messageOf(input, audience, uploadedIn(attempt), sha256)
  }

  return async (inputs) => {
    const messages = inputs.map((input) => {
      const audience = isPacked(input.audience) ? input.audience : packAudience(input.audience)
      const { rows } = audience
      if (rows.length > inlineBytes) return putLarge(input, audience)
      return messageOf(input, audience, rows.length < headBytes ? inRecord : rows.toString('latin1'))
    })
    return schedule(await allOf(messages))
  }
}

const isPacked = (audience: PutInput['audience']): audience is PackedAudience => 'rows' in audience

function messageOf(
  input: PutInput,
  { rows, width, size }: PackedAudience,
  audience: string,
  sha256?: string,
): ScheduleInput {
  const { ref, issued, digest, source, text, senderLine, subject, to, dueMs, delayMs, expiresMs, steps } = input
  const channels = input.channels ?? steps?.flatMap((step) => step.channels) ?? []
  const {
    secret = '',
    about = '',
    event,
    rules,
    data,
    recheck,
    online,
    confirm,
    personal,
    ceiling,
    template,
    role,
    files,
  } = input
  const fixed = {
    source,
    text,
    to,
    width,
    sha256,
    senderLine,
    subject,
    hasSecret: secret !== '',
    rules,
    data,
    recheck,
    online,
    confirm,
    personal,
    ceiling,
    template,
    role,
    files,
  }
  const record = packRecord(fixed, rows)
  const plan = input.plan ? JSON.stringify(input.plan) : ''
  const times = { dueMs, delayMs, expiresMs, class: input.class, type: rules?.type ?? '', plan }
  return {
    ref,
    issued,
    digest,
    record,
    audience,
    size,
    ...times,
    channels,
    secret,
    about,
    event,
    confirm: confirm !== undefined,
    steps: steps ? packSteps(steps) : '',
    deadlineMs: input.deadlineMs,
    ceiling: ceiling && limitOf(ceiling),
    merge: input.merge,
    laidBy: input.laidBy,
    lastsMs: input.lastsMs,
  }
}

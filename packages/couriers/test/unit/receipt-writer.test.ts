import { receiptBytes } from '@courier-fleet/api-types'
import { silentLog } from '@courier-fleet/process'
import { type Durability, masterOnly } from '@courier-fleet/store'
import { expect } from 'chai'
import { createClaimBuffer } from '../../src/engine/claims/claim-buffer.ts'
import type { Entry } from '../../src/engine/claims/claim-scripts.ts'
import { createReceiptWriter, type ReceiptWriterDeps } from '../../src/engine/jobs/receipt-writer.ts'
import { claim, messageTo } from './claims.ts'

const durabilityOf = (confirms: (() => Promise<void>)[]): Durability => ({
  ...masterOnly,
  level: 'replica',
  confirm: async () => confirms.shift()?.(),
})

describe('a mark that no replica has', () => {
  it('is taken back, but that of whoever was marked before: they may have been sent to', async () => {
    const written: string[] = []
    const deps: Partial<ReceiptWriterDeps> = {
      scripts: {
        async record(entries: readonly Entry[]) {
          for (const { bytes } of entries) written.push(bytes.toString('latin1'))
          return entries.map(({ bytes }) => bytes)
        },
      },
      courier: { foldsResends: true, window: 5 },
      durability: durabilityOf([() => Promise.reject(new Error('no replica answers'))]),
      gone: new AbortController().signal,
      logThrottled() {},
    }
    const writer = createReceiptWriter(deps as ReceiptWriterDeps)
    const buffer = createClaimBuffer(claim(5), messageTo(5))
    const mark = { buffer, byte: receiptBytes.attempting }
    const standing = await writer.write([
      { ...mark, ordinal: 1 },
      { ...mark, ordinal: 2, isAgain: true },
      { buffer, ordinal: 4, byte: receiptBytes.sent },
    ])
    expect(written).to.deep.equal(['aa=s', '\0a=s'])
    expect(standing).to.deep.equal([receiptBytes.pending, receiptBytes.attempting, receiptBytes.sent])
  })
})

describe('what is known of a claim that has gone to another process', () => {
  it('is reported of messages that were accepted; an edit, a deletion and a notice are made again by the other', async () => {
    const reported: number[] = []
    const deps: Partial<ReceiptWriterDeps> = {
      scripts: { record: async () => [undefined] },
      reports: {
        async reportAccepted(_ref, _leg, accepted) {
          reported.push(...accepted.map(({ ordinal }) => ordinal))
        },
      },
      courier: { foldsResends: true },
      durability: masterOnly,
      onLost() {},
      log: silentLog,
      gone: new AbortController().signal,
    }
    const writer = createReceiptWriter(deps as ReceiptWriterDeps)
    const buffer = createClaimBuffer(claim(5), messageTo(5))
    for (const [ordinal, reason] of (['edited', undefined, 'deleted', 'followed-up', 'replaced'] as const).entries())
      buffer.set({ ordinal, byte: receiptBytes.sent, reason, evidence: `#${ordinal}` })
    await writer.flush([buffer], true)
    expect(buffer.lost).to.equal(true)
    expect(reported).to.deep.equal([1, 3])
  })
})

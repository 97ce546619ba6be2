import { receiptBytes } from '@courier-fleet/api-types'
import { silentLog } from '@courier-fleet/process'
import { masterOnly } from '@courier-fleet/store'
import { expect } from 'chai'
import { createClaimBuffer } from '../../src/engine/claims/claim-buffer.ts'
import { createReceiptWriter, type ReceiptWriterDeps } from '../../src/engine/jobs/receipt-writer.ts'
import { claim, messageTo } from './claims.ts'

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

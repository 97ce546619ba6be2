import { ApiError, type Client, UnreachableError } from '@courier-fleet/client'
import { silentLog } from '@courier-fleet/process'
import { expect } from 'chai'
import { waitForApi } from '../src/wait-for-api.ts'

describe('the key of an inbound process', () => {
  const problem = (status: number) => new ApiError({ type: '', title: '', status, detail: '', code: 'x' })
  const accepted = (...answers: (Error | undefined)[]) => {
    const client = {
      whoIsCalling: async () => {
        const answer = answers.shift()
        if (answer) throw answer
      },
    } as unknown as Client
    return waitForApi(client, { log: silentLog, signal: new AbortController().signal })
  }

  it('is waited for while the API is away', () => accepted(new UnreachableError('', ''), problem(503), problem(403)))
  it('must be known', async () => {
    expect(((await accepted(problem(401)).catch((error: unknown) => error)) as Error).message).to.match(/does not know/)
  })
  it("is not a person's", async () => {
    expect(((await accepted(undefined).catch((error: unknown) => error)) as Error).message).to.match(/role inbound/)
  })
})

/** More of one sender's messages than anything looks through one by one. */
import { type Api, ahead } from './api.ts'

const many = 51

/** Each is cancelled, so that none counts against what may be sent in a day. */
export async function sendManyNewer(api: Api, to: readonly string[]): Promise<void> {
  for (let number = 1; number <= many; number += 1) {
    const key = await api.send({ to: [...to], text: `№ ${number}`, at: ahead(3_600_000) })
    const { status } = await api.call('DELETE', `/v1/histories/${key}`)
    if (status >= 300) throw new Error(`${key} was not cancelled: ${status}`)
  }
}

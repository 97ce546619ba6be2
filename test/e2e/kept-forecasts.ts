/** That a sender's messages keep what was foretold of them, so that it stands beside what became of them and counts in their record. */
import type { ForecastReport, HistoriesPage, RehearsalView } from '@courier-fleet/api-types'
import { expect } from 'chai'
import type { Api } from './api.ts'

/** Of the couriers: where a rate is allowed, an end can be foretold before anything was sent. */
export const allowedRates = { TELEGRAM_RATE_PER_SECOND: '300', VK_CALLS_PER_SECOND: '300', SMS_PER_SECOND: '300' }

/** @param api of the sender. @param to anybody they may send to. @param messages that they have sent, all of them */
export async function expectForecastsKept(api: Api, to: string, messages: number): Promise<void> {
  const { histories } = await api.get<HistoriesPage>('/v1/histories')
  const reports = await Promise.all(
    histories.map(async ({ key }) => {
      const { settled, history } = await api.track(key)
      expect(settled, key).to.equal(true)
      const report = await api.get<ForecastReport>(`/v1/histories/${key}/forecast`)
      expect(report.forecast, key).to.deep.equal(history.plan?.forecast)
      return report
    }),
  )
  expect(reports).to.have.length(messages)
  // no end is foretold where a courier was late in saying that it is there
  const foretold = reports.filter(({ forecast }) => forecast?.finish)
  expect(foretold.length).to.be.above(messages / 2)
  const held = foretold.map(({ actual }) => actual.isWithin)
  expect(held).not.to.include(undefined)
  const { record } = (await api.call<RehearsalView>('POST', '/v1/audiences:resolve', { to: [to] })).body
  expect(record).to.deep.equal({ of: foretold.length, within: held.filter(Boolean).length })
}

/** One message to many people on VK with the sandbox's limits off: acceptance, sending, reading meanwhile. */
import { progress, spread } from './running-fleet.mjs'

/** @returns {Promise<boolean>} whether everyone got it once, and the fleet knows it */
export async function measure(fleet, values) {
  const people = Number(values.people)
  const { generatedId, generatedAddress } = await import('@courier-fleet/testkit')
  const importedAt = performance.now()
  const cohort = `measured-${people}`
  const report = await fleet.importPeople(people, { channels: ['vk'], cohort, groupSize: people })
  const importMs = performance.now() - importedAt
  const before = await fleet.sandboxLimits()
  await fleet.setSandboxLimits({ vk: { callsPerSecond: null } })
  const firstSeq = (await collect(fleet.accepted(0))).length

  const startedAt = performance.now()
  const body = { to: [`cohort:${cohort}`], text: 'Экзамен перенесён', channels: ['vk'] }
  const { key } = await fleet.callJson('POST', '/v1/messages', JSON.stringify(body))
  const acceptMs = performance.now() - startedAt
  const reads = []
  let history
  do {
    const readAt = performance.now()
    history = await fleet.callJson('GET', `/v1/histories/${key}`)
    reads.push(performance.now() - readAt)
    progress(`sent ${history.channels.vk?.sent ?? 0} of ${people}`)
    await new Promise((wake) => setTimeout(wake, 5))
  } while (history.state !== 'settled')
  const sentMs = Date.parse(history.settledAt) - Date.parse(history.startedAt)
  progress('')
  await fleet.setSandboxLimits({ vk: before.vk })

  const rows = (await collect(fleet.accepted(firstSeq))).filter(({ channel }) => channel === 'vk')
  const addresses = new Set(rows.map(({ address }) => address))
  const missing = []
  let wrong = 0
  for (let i = 0; i < people; i += 1) if (!addresses.has(generatedAddress.vk(i))) missing.push(generatedId(i))
  for (let from = 0; from !== undefined; ) {
    const page = await fleet.callJson('GET', `/v1/histories/${key}/receipts?from=${from}&limit=1000`)
    for (const row of page.receipts) if (row.channels.vk.state !== 'sent') wrong += 1
    from = page.next
  }
  const [recount] = (await fleet.callJson('GET', `/v1/histories/${key}/recount`)).channels
  console.log(`people              ${people} (VK only, sandbox limits off)`)
  console.log(`import              ${(importMs / 1000).toFixed(1)} s, ${report.rejected} lines rejected`)
  console.log(`accepted by API in  ${acceptMs.toFixed(0)} ms`)
  console.log(
    `sent                ${history.channels.vk.sent} in ${sentMs} ms: ${Math.round(people / (sentMs / 1000))} people/s`,
  )
  console.log(
    `provider accepted   ${rows.length}, of them different people ${addresses.size}, missing ${missing.length}`,
  )
  console.log(`receipts not sent   ${wrong}; ledger and bytes ${recount.balanced ? 'agree' : 'DISAGREE'}`)
  console.log(`GET meanwhile       ${spread(reads)}`)
  return rows.length === people && addresses.size === people && wrong === 0 && recount.balanced
}

async function collect(rows) {
  const found = []
  for await (const row of rows) found.push(row)
  return found
}

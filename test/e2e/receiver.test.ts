/** The sandbox's receiver in a whole fleet: it verifies what comes, and leads nobody into another network. */
import { Resolver } from 'node:dns/promises'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'

describe("the sandbox's receiver", () => {
  let fleet: Fleet
  let port: number
  let dns: Resolver

  before(async () => {
    fleet = await startFleet({ couriers: { telegram: 0, vk: 0, sms: 0, http: 1 } })
    const endpoint = (await fleet.sandbox.endpoints()).http
    port = endpoint.port
    dns = new Resolver()
    dns.setServers([`127.0.0.1:${endpoint.dnsPort}`])
  })
  after(() => fleet.stop())

  const signaturesOf = async (text: string) =>
    (await fleet.sandbox.accepted(text, 'http')).map(({ signature }) => signature)

  it('takes what is signed by the secret that it was given, and nothing that is signed by another', async () => {
    const address = `http://127.0.0.1:${port}/anna`
    const rotate = async () =>
      (await fleet.api.call<{ secret: string }>('POST', '/v1/webhook-secret:rotate')).body.secret
    const secret = await rotate()
    await fleet.api.deliver({ to: [`url:${address}`], text: 'Ещё без секрета' })
    expect(await signaturesOf('Ещё без секрета')).to.deep.equal(['unchecked'])
    await fleet.sandbox.say('http', address, secret)
    await fleet.api.deliver({ to: [`url:${address}`], text: 'Проверено' })
    expect(await signaturesOf('Проверено')).to.deep.equal(['valid'])
    await rotate()
    await fleet.api.deliver({ to: [`url:${address}`], text: 'Пока меняется' })
    expect(await signaturesOf('Пока меняется')).to.deep.equal(['valid'])
  })

  it('has a name that leads into a private network at the moment it is called: nobody is called there', async () => {
    const address = `http://rebinding.sandbox.test:${port}/x`
    // whoever looks first sees this machine, and whoever calls then would be led elsewhere
    expect(await dns.resolve4('rebinding.sandbox.test')).to.deep.equal(['127.0.0.1'])
    const { history } = await fleet.api.deliver({ to: [`url:${address}`], text: 'Внутрь' })
    const [receipt] = await fleet.api.receipts(history.key)
    expect(receipt?.channels.http).to.include({ state: 'failed', reason: 'invalid' })
    expect(receipt?.channels.http?.detail).to.contain('leads to an address that is not public')
    expect(await fleet.sandbox.accepted('Внутрь')).to.deep.equal([])
    // the name leads here now
    const again = await fleet.api.deliver({ to: [`url:${address}`], text: 'Сюда' })
    const [taken] = await fleet.api.receipts(again.history.key)
    expect(taken?.channels.http).to.include({ state: 'sent' })
    expect(await fleet.sandbox.accepted('Сюда')).to.have.length(1)
  })
})

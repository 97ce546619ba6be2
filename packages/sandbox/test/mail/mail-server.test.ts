import { silentLog } from '@courier-fleet/process'
import { expect } from 'chai'
import nodemailer from 'nodemailer'
import { World } from '../../src/index.ts'
import { startStandIn } from '../../src/mail/index.ts'

describe("the sandbox's mail server", () => {
  const world = new World()
  let server: Awaited<ReturnType<typeof startStandIn>>

  before(async () => {
    server = await startStandIn({ world, log: silentLog })
  })
  after(() => server.stop())

  function send(message: { subject?: string; text: string; to?: string }, pass = server.endpoint.password) {
    const { host, port, user } = server.endpoint
    const transport = nodemailer.createTransport({ host, port, auth: { user, pass } })
    return transport.sendMail({ from: 'a@fleet.example', to: 'b@mail.example', ...message })
  }
  const refusal = (sending: Promise<unknown>) =>
    sending.then(
      () => undefined,
      (error: { response?: string }) => error.response,
    )

  it('takes messages from any client that logs in, and shows their text as it was written', async () => {
    for (const text of ['plain', 'Юникод 🎓\n\nи строки.\n.точка', 'é'.repeat(300), 'a=b '.repeat(100)]) {
      await send({ text, subject: 'Тема' })
      expect(world.accepted.at(-1)).to.deep.include({ channel: 'mail', address: 'b@mail.example', text })
    }
    expect(await refusal(send({ text: 'a' }, 'wrong'))).to.match(/^535 5\.7\.8/)
  })

  it('refuses, each in its own words, for mailboxes that are not there, faults and haste', async () => {
    world.setPhone({ channel: 'mail', address: 'gone@mail.example', state: 'unknown' })
    expect(await refusal(send({ text: 'a', to: 'gone@mail.example' }))).to.equal('550 5.1.1 no such user')
    world.addFault({ channel: 'mail', kind: 'throttle', count: 1 })
    expect(await refusal(send({ text: 'a' }))).to.match(/^451 4\.7\.1 greylisted/)
    world.addFault({ channel: 'mail', kind: 'reject', code: '552 5.3.4 too large', count: 1 })
    expect(await refusal(send({ text: 'a' }))).to.equal('552 5.3.4 too large')
    world.limits.mail.perSecond = 1
    const begun = performance.now()
    const answers = await Promise.all([1, 2, 3, 4].map(() => refusal(send({ text: 'a' }))))
    const taken = 1 + (performance.now() - begun) / 1000
    expect(answers.filter((each) => each?.startsWith('450 4.7.0'))).to.have.length.within(4 - taken, 3)
    world.limits.mail.perSecond = null
  })
})

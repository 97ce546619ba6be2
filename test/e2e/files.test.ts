/** A file from the command line to the phones: with the message where the channel takes it, as a link that opens everywhere else. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type FileView, messageCall, type TrackerReport } from '@courier-fleet/api-types'
import { expect } from 'chai'
import { type Fleet, startFleet } from './fleet.ts'

const program = join(import.meta.dirname, '../../packages/command-line/bin/fleet.mjs')
const pdf = Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n')
const linkPattern = /http:\/\/127\.0\.0\.1:\d+\/f\/[\w-]{12}\?e=\w+&s=[\w-]{16}/

describe('files', () => {
  let fleet: Fleet
  const dir = mkdtempSync(join(tmpdir(), 'files-sent-'))
  const plan = join(dir, 'План.pdf')

  before(async () => {
    writeFileSync(plan, pdf)
    fleet = await startFleet({ couriers: { telegram: 1, vk: 0, sms: 1, mail: 1, http: 1 } })
  })
  after(async () => {
    await fleet.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  const command = async (...args: string[]) => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH, FLEET_API_URL: fleet.apiUrl, FLEET_API_KEY: fleet.apiKey },
    })
    const said = Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = await once(child, 'close')
    const [out, err] = await said
    return { code, out, err }
  }
  const accepted = async (channel: 'sms' | 'mail', begins: string) =>
    (await fleet.sandbox.accepted(undefined, channel)).filter((row) => row.text.startsWith(begins))

  it('go from the command line to phones and mailboxes as links that open, and what they cost is said before', async () => {
    const said = ['--to', 'group:deans-office', '--text', 'Exam plan', '--file', plan]
    const rehearsed = await command('rehearse', ...said)
    expect(rehearsed.out).to.match(/^File План\.pdf \(1 KB\), as a link by /m)
    const { code, out, err } = await command('send', ...said, '--json')
    expect([code, err.includes('settled')], out + err).to.deep.equal([0, false])
    const { history } = JSON.parse(out) as TrackerReport
    expect(history.files?.[0]).to.include({ name: 'План.pdf', size: pdf.length })
    for (const [channel, name] of [
      ['sms', ''],
      ['mail', 'План.pdf: '],
    ] as const) {
      const [row] = await accepted(channel, 'Exam plan')
      const [line, ...more] = row?.text.split('\n').slice(1) ?? []
      expect(more, channel).to.deep.equal([])
      expect(line, channel).to.match(new RegExp(`^${name}${linkPattern.source}$`))
      const answer = await fetch(linkPattern.exec(line ?? '')?.[0] ?? '')
      expect(Buffer.from(await answer.arrayBuffer()).equals(pdf), channel).to.equal(true)
    }
    const missing = await command('send', ...said, '--file', join(dir, 'none.pdf'))
    expect([missing.code, missing.err]).to.deep.equal([
      2,
      `send: cannot read ${join(dir, 'none.pdf')}: there is no such file\n`,
    ])
  })

  it('are the same files, and the message the same message, when a call is run again under its key', async () => {
    const said = ['--to', 'group:deans-office', '--text', 'Once', '--file', plan, '--file', plan, '--in', '3600']
    const send = async () => {
      const { out, err } = await command('send', ...said, '--wait', '0', '--json', '--idempotency-key', 'k'.repeat(255))
      expect(err).to.equal('')
      return (JSON.parse(out) as TrackerReport).history
    }
    const first = await send()
    const { key, files } = await send()
    expect({ key, files }).to.deep.equal({ key: first.key, files: first.files })
  })

  it('are told to programs in the body, with their links', async () => {
    const bodies: unknown[] = []
    const server: Server = createServer(async (request, response) => {
      bodies.push(JSON.parse(await text(request)))
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const uploaded = await command('api', 'uploadFile', 'name=a.pdf', '--body', `@${plan}`)
      const { id } = JSON.parse(uploaded.out) as FileView
      const to = [`url:http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`]
      const { history } = await fleet.api.deliver({ to, text: 'Look', files: [id] })
      const { id: _id, asLink: _asLink, ...told } = history.files?.[0] ?? ({} as never)
      expect(bodies).to.have.length(1)
      // as OpenAPI has it under webhooks
      expect(messageCall.parse(bodies[0])).to.deep.include({ text: 'Look', files: [told] })
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})

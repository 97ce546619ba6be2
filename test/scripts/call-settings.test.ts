import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { guardedSettings, openSecret, sealingKey, sealSecret } from '@courier-fleet/webhooks'
import { expect } from 'chai'
import { ensureFleetSecret, sandboxCalls } from '../../scripts/call-settings.mjs'

describe('what calling URLs of users takes on one machine', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'courier-fleet-calls-'))
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  it('is a secret that is made once, so that what was sealed opens after a restart, and that nobody else may read', () => {
    const key = () => sealingKey({ FLEET_SECRET: ensureFleetSecret(dir) }) ?? new Uint8Array()
    const sealed = sealSecret(key(), 'whsec_a', 'somebody')
    expect(openSecret(key(), sealed, 'somebody')).to.equal('whsec_a')
    expect(statSync(join(dir, 'fleet-secret')).mode & 0o777).to.equal(0o600)
  })

  it('is leave to call this machine, and no other', () => {
    const { allowPlain, allowNets } = guardedSettings(sandboxCalls)
    expect(allowPlain).to.equal(true)
    expect(allowNets.check('127.0.0.1', 'ipv4') && allowNets.check('::1', 'ipv6')).to.equal(true)
    for (const other of ['10.0.0.1', '192.168.0.1', '169.254.169.254'])
      expect(allowNets.check(other, 'ipv4')).to.equal(false)
  })
})

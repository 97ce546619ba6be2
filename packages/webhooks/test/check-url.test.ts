import { expect } from 'chai'
import { checkUrl, guardedSettings } from '../src/index.ts'
import { nothingSaid, publicOnly } from './settings.ts'

const refusal = (text: string, settings = nothingSaid) => {
  const checked = checkUrl(text, settings)
  return typeof checked === 'string' ? checked : `taken: ${checked.href}`
}

describe('a URL that a user gives', () => {
  it('is taken when a public system may be behind it', () => {
    for (const url of [
      'https://example.org/hook?a=1',
      'https://example.org:8443/',
      'https://1.1.1.1/',
      'https://[2606:4700::1111]/',
    ])
      expect(refusal(url)).to.equal(`taken: ${url}`)
    expect(refusal('https://example.org/hook#part')).to.equal('taken: https://example.org/hook')
    expect(refusal('http://example.org/', publicOnly)).to.equal('taken: http://example.org/')
  })

  it('is refused in words when it is none, or of another kind', () => {
    expect(refusal('')).to.equal('must be a URL such as https://example.org/hook')
    expect(refusal('example.org/hook')).to.equal('must be a URL such as https://example.org/hook')
    expect(refusal('https://exam\tple.org/')).to.equal('must be a URL such as https://example.org/hook')
    expect(refusal('https://[fe80::1%25eth0]/')).to.equal('must be a URL such as https://example.org/hook')
    expect(refusal('http://example.org/')).to.equal('must begin with https://')
    expect(refusal('ftp://example.org/', publicOnly)).to.equal('must begin with https:// or http://')
    expect(refusal('file:///etc/passwd')).to.equal('must begin with https://')
    expect(refusal(`https://example.org/${'x'.repeat(2000)}`)).to.equal('must have at most 2000 characters')
  })

  it('is refused with a login in it, which would lie in the open', () => {
    for (const url of ['https://user@example.org/', 'https://user:word@example.org/', 'https://:word@example.org/'])
      expect(refusal(url)).to.equal('must hold no user name and no password')
  })

  it('is refused when its port is a system service or a database', () => {
    for (const port of [0, 22, 25, 81, 1023, 2375, 3306, 5432, 6379, 9200, 11211, 27017])
      expect(refusal(`https://example.org:${port}/`)).to.match(new RegExp(`^must not name port ${port}:`))
    for (const port of [80, 443, 1024, 3000, 8080, 65_535])
      expect(refusal(`https://example.org:${port}/`)).to.match(/^taken/)
  })

  it('is refused when its address is not public, and says what that address is', () => {
    expect(refusal('https://0x7f.1/')).to.equal('must lead to a public address: 127.0.0.1 is not one (loopback)')
    expect(refusal('https://[::ffff:10.0.0.1]/')).to.contain('::ffff:a00:1 is not one (an IPv4 address in IPv6)')
  })

  it('may lead into networks that the operator names, and into no other', () => {
    const own = guardedSettings({ HTTP_ALLOW_NETS: '10.1.0.0/16, fd00:1::/32' })
    expect(refusal('https://10.1.2.3/', own)).to.match(/^taken/)
    expect(refusal('https://[fd00:1::5]/', own)).to.match(/^taken/)
    expect(refusal('https://10.2.0.1/', own)).to.contain('a private network')
    expect(refusal('https://[fd00:2::5]/', own)).to.contain('a private network')
    expect(refusal('https://10.1.2.3:6379/', own), 'not even there').to.contain('port 6379')
  })
})

describe('the settings of calling URLs', () => {
  it('say what is wrong with one', () => {
    expect(() => guardedSettings({ HTTP_ALLOW_PLAIN: 'yes' })).to.throw('HTTP_ALLOW_PLAIN must be on or off')
    for (const wrong of ['10.0.0.0/33', '10.0.0/8', 'example.org', '10.0.0.1/', '::1/129', '10.0.0.0/8/8'])
      expect(() => guardedSettings({ HTTP_ALLOW_NETS: wrong }), wrong).to.throw(
        'HTTP_ALLOW_NETS must be networks such as',
      )
    for (const wrong of ['dns.example', '10.0.0.1:99999', '10.0.0.1:'])
      expect(() => guardedSettings({ HTTP_DNS_SERVERS: wrong }), wrong).to.throw('HTTP_DNS_SERVERS must be addresses')
  })

  it('take DNS servers of both families, with a port or without', () => {
    const { dnsServers } = guardedSettings({ HTTP_DNS_SERVERS: '10.0.0.53, 127.0.0.1:5353, fd00::53, [::1]:5353' })
    expect(dnsServers).to.deep.equal(['10.0.0.53:53', '127.0.0.1:5353', '[fd00::53]:53', '[::1]:5353'])
  })
})

/** Moving pictures, looked at by a real browser. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { animate, decode } from './apng.ts'
import { launchChromium } from './chromium.ts'

describe('moving pictures', () => {
  let browser: Browser
  before(async () => {
    browser = await launchChromium()
  })
  after(() => browser?.close())

  async function frames() {
    const page = await browser.newPage({ viewport: { width: 40, height: 30 } })
    const shots = []
    for (const color of ['red', 'red', 'lime']) {
      const box = `<i style="position:absolute;left:10px;top:5px;width:8px;height:4px;background:${color}"></i>`
      await page.setContent(`<body style="background:linear-gradient(90deg,#123,#fed)">${box}</body>`)
      shots.push({ png: await page.screenshot(), shownMs: 20 })
    }
    await page.close()
    return shots
  }

  it('hold only what changes, and what does not change is shown for longer', async () => {
    const [first, ...others] = await frames()
    const still = animate([first as { png: Buffer; shownMs: number }])
    const moving = animate([first as { png: Buffer; shownMs: number }, ...others])
    expect(moving.length - still.length).to.be.within(50, 250)
    const count = moving.indexOf('acTL') + 4
    expect(moving.readUInt32BE(count)).to.equal(2)
    const controls = [...moving.toString('latin1').matchAll(/fcTL/g)].map(({ index }) => index + 4)
    const rectangles = controls.map((at) => [4, 8, 12, 16].map((offset) => moving.readUInt32BE(at + offset)))
    expect(rectangles).to.deep.equal([
      [40, 30, 0, 0],
      [8, 4, 10, 5],
    ])
    expect(controls.map((at) => moving.readUInt16BE(at + 20))).to.deep.equal([40, 20])
  })

  it('come to look like the last frame in a browser', async () => {
    const shots = await frames()
    const last = shots.at(-1) as { png: Buffer; shownMs: number }
    const moving = animate([...shots.slice(0, -1), { ...last, shownMs: 60_000 }])
    const page = await browser.newPage({ viewport: { width: 40, height: 30 } })
    const image = `<img src="data:image/png;base64,${moving.toString('base64')}" style="display:block">`
    await page.setContent(`<body style="margin:0">${image}</body>`)
    const wanted = decode(last.png).pixels
    let seen: Buffer = Buffer.alloc(0)
    for (let i = 0; i < 50 && !seen.equals(wanted); i++) seen = decode(await page.screenshot()).pixels
    expect(seen.equals(wanted)).to.equal(true)
    await page.close()
  })
})

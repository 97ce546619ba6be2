/** The wall of phones: listens to the sandbox, keeps the order, and draws once a frame at most. */
import { make } from './elements.js'
import { createOrder, keyOf } from './order.js'
import { find, listen } from './sandbox.js'
import { createWall } from './wall.js'
import { channels, words } from './words.js'

const byId = (id) => document.getElementById(id)
/** phones are brought to the front this often at most */
const bringForwardEveryMs = 1000
const findAfterMs = 200

const order = createOrder()
let channel
/** keys of what was searched for; undefined: everything */
let found
/** what was found; not all of it is on the wall otherwise */
const foundPhones = new Map()
let broughtAt = 0
let planned = false

document.documentElement.lang = words.language
document.title = words.title
document.querySelector('h1').textContent = words.title
byId('about').textContent = words.about
byId('find').placeholder = words.find
byId('find').setAttribute('aria-label', words.find)
byId('wall').setAttribute('aria-label', words.wall)
byId('channels').setAttribute('aria-label', words.channelGroup)
byId('connection').textContent = words.connecting

const wall = createWall({
  list: byId('wall'),
  get: (key) => foundPhones.get(key) ?? order.get(key),
  refused: () => say(words.notTaken, true),
})

const tabs = [['all', words.all], ...Object.entries(channels).map(([name, said]) => [name, said.name])].map(
  ([name, label]) => {
    const count = make('span')
    const button = make('button', { type: 'button' }, label, ' ', count)
    button.dataset.channel = name
    button.onclick = () => {
      channel = name === 'all' ? undefined : name
      choose()
      scrollTo({ top: 0 })
      plan()
    }
    byId('channels').append(button)
    return { name, button, count }
  },
)

function choose() {
  for (const { name, button } of tabs) button.setAttribute('aria-pressed', String(name === (channel ?? 'all')))
}

function say(text, bad = false) {
  byId('connection').textContent = text
  byId('connection').classList.toggle('bad', bad)
}

function count(total) {
  const all = Object.values(total).reduce((sum, each) => sum + each, 0)
  for (const tab of tabs) tab.count.textContent = (total[tab.name] ?? all).toLocaleString(words.language)
}

/** Somebody writes, presses, points at a phone, or looks further down. */
const isBusy = () =>
  byId('wall').contains(document.activeElement) || byId('wall').matches(':hover') || scrollY > innerHeight / 3

function draw(now) {
  planned = false
  if (!isBusy() && now - broughtAt > bringForwardEveryMs && order.bringForward()) broughtAt = now
  else if (order.calling() > 0 && !isBusy()) setTimeout(plan, bringForwardEveryMs)
  wall.set(found ?? order.keys(channel))
  wall.draw()
  const newer = found ? 0 : order.calling()
  byId('newer').hidden = newer === 0 || !isBusy()
  byId('newer').textContent = words.newer(newer)
  byId('empty').hidden = wall.count() > 0
  byId('empty').textContent = found ? words.nothingFound : words.nothingYet
}

function plan() {
  if (!planned) requestAnimationFrame(draw)
  planned = true
}

listen({
  first({ total, phones }) {
    order.reset(phones)
    count(total)
    if (found) search()
    plan()
  },
  changes({ total, phones }) {
    for (const phone of phones) {
      order.change(phone, wall.isInSight)
      if (foundPhones.has(keyOf(phone))) foundPhones.set(keyOf(phone), phone)
    }
    count(total)
    plan()
  },
  connection: (isLive) => say(isLive ? words.live : words.away, !isLive),
})

let asked = 0
let asking
byId('find').oninput = () => {
  clearTimeout(asking)
  asking = setTimeout(search, findAfterMs)
}
async function search() {
  const wanted = byId('find').value.trim()
  const number = ++asked
  const phones = wanted === '' ? undefined : (await find(wanted).catch(() => ({ phones: [] }))).phones
  // an answer that was overtaken by the next question
  if (number !== asked) return
  foundPhones.clear()
  for (const phone of phones ?? []) foundPhones.set(keyOf(phone), phone)
  found = phones?.map(keyOf)
  scrollTo({ top: 0 })
  plan()
}

byId('newer').onclick = () => {
  order.bringForward()
  byId('newer').blur()
  scrollTo({ top: 0 })
  plan()
}
addEventListener('scroll', plan, { passive: true })
new ResizeObserver(plan).observe(byId('wall'))
byId('wall').addEventListener('pointerleave', plan)
byId('wall').addEventListener('focusout', () => setTimeout(plan))
choose()

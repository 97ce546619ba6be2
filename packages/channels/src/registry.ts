/** The channels there are, a line each: a new one is this line and its folders (CONTRIBUTING.md, "Add a channel in an hour"). */
export { http } from './http/descriptor.ts'
export { mail } from './mail/descriptor.ts'
export { push } from './push/descriptor.ts'
export { sms } from './sms/descriptor.ts'
export { telegram } from './telegram/descriptor.ts'
export { vk } from './vk/descriptor.ts'

export * from './stand-in.ts'
export * from './vk-api/index.ts'

export * from './channels.ts'
export * from './descriptor.ts'
export * from './registry.ts'
export * from './settings.ts'

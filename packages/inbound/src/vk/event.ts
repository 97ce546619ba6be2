/** What happened in the community, as VK tells it. */
export interface VkEvent {
  readonly type: string
  readonly event_id: string
  readonly object: unknown
}

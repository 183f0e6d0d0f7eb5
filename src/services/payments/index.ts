/** Payments: top-ups, and the events of the provider. */
export { checkAutoTopUp, hasUnusableCard, runAutoTopUps } from './auto-topups.ts';
export { handleEvent, receiveEvent, sweepPaymentEvents } from './events.ts';
export { followTopup } from './follow.ts';
export type { FollowDependencies, FollowedTopup } from './follow.ts';
export { refundAsOperator, sweepRefunds } from './refunds.ts';
export type { RefundOrder } from './refunds.ts';
export { applySubscription, openPortal, subscribe } from './subscriptions.ts';
export { listTiers, listTopups, readTopup, startTopup } from './topups.ts';
export type { TopupCommand, TopupDependencies } from './topups.ts';
export { createPayments } from './services.ts';

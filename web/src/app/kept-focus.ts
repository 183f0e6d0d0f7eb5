/**
 * Keeps the focus in the page. Where what had it is gone, as with a form that was sent or a page that was left, it goes to the nearest thing
 * around that is still there, and else to the page, so that whoever uses keys or hears the page goes on from there.
 */
export function keepFocus(): void {
  // What had the focus last, and everything around it.
  let around: readonly Element[] = [];
  document.addEventListener('focusin', ({ target }) => {
    around = [];
    for (let at = target instanceof Element ? target : null; at !== null; at = at.parentElement)
      around = [...around, at];
  });
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    // A click beside everything takes the focus away on purpose.
    queueMicrotask(() => {
      if (relatedTarget === null && target instanceof Element && target.isConnected) around = [];
    });
  });
  new MutationObserver(() => {
    const [last] = around;
    if (last === undefined || last.isConnected || document.activeElement !== document.body) return;
    const page = document.querySelector('main');
    const near = around.find((each) => each.isConnected && page?.contains(each) === true) ?? page;
    if (!(near instanceof HTMLElement)) return;
    if (!near.hasAttribute('tabindex')) near.tabIndex = -1;
    near.focus({ preventScroll: true });
  }).observe(document.body, { childList: true, subtree: true });
}

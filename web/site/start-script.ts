// The script in each page's HTML that begins to load the others, once the page has been painted. On Lighthouse's phone
// text is there after 0.9 s instead of 1.6, since nothing shares the line with it, and the page answers no later than
// 0.2 s after it would have. Two frames: when the second begins, the first is on the screen. A page that nobody looks at yet does not wait for a frame that does not come.

/** Reads the addresses from its own element, so that it is the same in every page: the policy names it by one hash. */
export const START_SCRIPT =
  "{const parts=document.currentScript.dataset.parts.split(' '),start=()=>{for(const part of parts)import(part)};" +
  'if(document.hidden)start();else requestAnimationFrame(()=>requestAnimationFrame(()=>setTimeout(start)))}';
